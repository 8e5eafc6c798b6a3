/**
 * What a rule finds out, or why it cannot: there is no rule for the kind; the object is not of the shape it should have; the rule itself
 * is at fault; or it could not be asked just now, and may answer another time.
 */
export type Interpretation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: "no rule" | "malformed" | "faulty" | "unavailable"; readonly message: string };

/** What to wait for where an interpretation failed: a change of what is wrong, or another try. */
export function notUnderstood<T>(failure: Exclude<Interpretation<T>, { readonly ok: true }>) {
  const { why, message } = failure;
  return { reason: message, ...(why === "unavailable" && { retryAfterMs: anotherTryMs }) };
}

const anotherTryMs = 10_000;

/** Raised where an object is not of the shape of its kind; never leaves this folder. */
export class Malformed extends Error {}

/** Asks a rule, if there is one. */
export function interpret<R, T>(rule: R | undefined, ask: (rule: R) => T): Interpretation<T> {
  if (rule === undefined) return { ok: false, why: "no rule", message: "there is no native rule for this kind" };
  try {
    return { ok: true, value: ask(rule) };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, why: "malformed", message: error.message };
    throw error;
  }
}
