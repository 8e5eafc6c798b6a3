/** More than any manifest has, even inside of its texts. */
const maxMarks = 50_000;
const maxSeparators = 300_000;
const maxDocuments = 5_000;

const lineFeed = 10;
const space = 32;
const exclamation = 33;
const ampersand = 38;
const asterisk = 42;
const comma = 44;
const openBracket = 91;
const openBrace = 123;

/**
 * What is too much of a YAML text to be read at all, found in a few milliseconds: the parser builds everything it meets before anybody
 * can count. Counts by sight, in texts and comments too; undefined when the text is modest.
 */
export function excessOf(text: string): string | undefined {
  let marks = 0;
  let separators = 0;
  let before = lineFeed;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === lineFeed || unit === comma || unit === openBracket || unit === openBrace) separators++;
    else if (isMark(unit) && isStart(before) && text.charCodeAt(at + 1) > space) marks++;
    before = unit;
  }
  if (marks > maxMarks) return `more than ${maxMarks} anchors, aliases and tags`;
  if (separators > maxSeparators) return `more than ${maxSeparators} lines and items`;
  if (text.split("\n---", maxDocuments + 2).length > maxDocuments + 1) return `more than ${maxDocuments} documents`;
  return undefined;
}

function isMark(unit: number): boolean {
  return unit === ampersand || unit === asterisk || unit === exclamation;
}

function isStart(before: number): boolean {
  return before <= space || before === comma || before === openBracket || before === openBrace;
}
