/**
 * A text that came from a cluster, fit for a terminal: one line, without anything that moves the cursor, colours, rings, hides or
 * turns around what is read (SEC-41).
 */
export function plainText(text: string): string {
  return text
    .replaceAll(stringSequences, "")
    .replaceAll(controlSequences, "")
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, "");
}

/** Strings for the terminal itself (titles, clipboard, links), up to their end or the end of the text. */
const stringSequences = /(?:\u001b[P\]X^_]|[\u0090\u0098\u009d-\u009f]).*?(?:\u0007|\u001b\\|\u009c|$)/gs;
/** Commands (colours, cursor, screen), and the two-letter ones. */
const controlSequences = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
