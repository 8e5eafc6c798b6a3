/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
}

interface RankedClause extends AcceptClause {
  readonly quality: number;
}

/** More than any client sends. */
const maxClauses = 32;

/**
 * The clauses of an Accept header, the client's favourite first, as Kubernetes reads them: letters count as they are, a clause or a
 * parameter that makes no sense is left out, and a quality of 0 comes last rather than never.
 *
 * Upstream: munnerz/goautoneg ParseAccept.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  const sorted: RankedClause[] = [];
  for (const clause of header.split(",", maxClauses).flatMap(readClause)) {
    // its order is none that a general sort may be given: what is less is not always less
    let at = sorted.length;
    while (at > 0 && comesBefore(clause, sorted[at - 1]!)) at--;
    sorted.splice(at, 0, clause);
  }
  return sorted;
}

function readClause(text: string): readonly RankedClause[] {
  const [range = "", ...rest] = trimmed(text).split(";");
  const [type = "", subtype = "", ...more] = range.split("/");
  const isAnything = trimmed(type) === "*" && subtype === "";
  if ((subtype === "" && !isAnything) || more.some((part) => part !== "") || more.length > 1) return [];
  let quality = 1;
  const parameters = new Map<string, string>();
  for (const piece of rest) {
    const [name = "", value = "", ...others] = piece.split("=");
    if (value === "" || others.some((part) => part !== "")) continue;
    if (trimmed(name) === "q") quality = Number.parseFloat(value) || 0;
    else parameters.set(trimmed(name), trimmed(value));
  }
  return [{ type: trimmed(type), subtype: isAnything ? "*" : trimmed(subtype), parameters, quality }];
}

function comesBefore(a: RankedClause, b: RankedClause): boolean {
  if (a.quality > b.quality) return true;
  if (a.type !== "*" && b.type === "*") return true;
  return a.subtype !== "*" && b.subtype === "*";
}

/** Blanks alone, no other white space. */
function trimmed(text: string): string {
  return text.replaceAll(/^ +| +$/g, "");
}
