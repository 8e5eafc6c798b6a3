/** A piece of a CEL expression; `at` counts characters from its start. */
export interface CelToken {
  readonly sort: "identifier" | "escaped" | "int" | "uint" | "double" | "string" | "bytes" | "operator" | "end";
  readonly text: string;
  readonly at: number;
}

/** Something wrong at a place of an expression. */
export interface CelProblem {
  readonly at: number;
  readonly message: string;
}

const escapes = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const text = [
  String.raw`[rR](?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')`,
  String.raw`"""(?:${escapes}|[^\\])*?"""`,
  String.raw`'''(?:${escapes}|[^\\])*?'''`,
  String.raw`"(?:${escapes}|[^\\"\n\r])*"`,
  String.raw`'(?:${escapes}|[^\\'\n\r])*'`,
].join("|");

/** In the order in which they are tried: the longest first, and last what is none. */
const sorts: Readonly<Record<string, string>> = {
  hidden: String.raw`[\t \r\n\f]+|//[^\n]*`,
  bytes: `[bB](?:${text})`,
  string: text,
  double: String.raw`[0-9]+\.[0-9]+(?:[eE][+\-]?[0-9]+)?|[0-9]+[eE][+\-]?[0-9]+|\.[0-9]+(?:[eE][+\-]?[0-9]+)?`,
  uint: "0x[0-9a-fA-F]+[uU]|[0-9]+[uU]",
  int: "0x[0-9a-fA-F]+|[0-9]+",
  identifier: "[A-Za-z_][A-Za-z0-9_]*",
  escaped: String.raw`\x60[A-Za-z0-9_.\/ \-]+\x60`,
  operator: String.raw`==|!=|<=|>=|&&|\|\||[<>\[\]{}().,!?:+*\/%\-]`,
  // a text that does not end, an operator without its second half, a character that nothing begins with
  broken: String.raw`["'][^\n\r]*|[&|=][\s\S]?|[\s\S]`,
};
const pieces = new RegExp(
  Object.entries(sorts)
    .map(([sort, source]) => `(?<${sort}>${source})`)
    .join("|"),
  "gu",
);

/** The pieces of an expression, the last one its end; what is no piece is told of and left out. */
export function scanCel(expression: string): { readonly tokens: readonly CelToken[]; readonly problems: CelProblem[] } {
  const tokens: CelToken[] = [];
  const problems: CelProblem[] = [];
  let at = 0;
  for (const { 0: piece, groups = {} } of expression.matchAll(pieces)) {
    const sort = Object.keys(groups).find((name) => groups[name] !== undefined);
    if (sort === "broken") problems.push({ at, message: `Syntax error: token recognition error at: '${piece}'` });
    else if (sort !== "hidden") tokens.push({ sort: sort as CelToken["sort"], text: piece, at }); // as named above
    at += [...piece].length;
  }
  return { tokens: [...tokens, { sort: "end", text: "<EOF>", at }], problems };
}
