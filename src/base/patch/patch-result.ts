import { goTypeOf } from "./go-print.ts";

/** What came of a patch: a document of its own, or why it does not apply. */
export type PatchResult<T = PatchedObject> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /**
       * - `badRequest`: not a patch at all (400)
       * - `unprocessable`: a patch that does not fit this document (422)
       * - `tooLarge`: more operations or copied bytes than allowed (413)
       * - `internal`: what Kubernetes answers with 500, mostly a list element without its merge key
       */
      readonly why: "badRequest" | "unprocessable" | "tooLarge" | "internal";
      readonly message: string;
    };

/** How a patch was read: one that is not looked through for unknown fields (`Ignore`) is refused in other words. */
export interface PatchReading {
  readonly validation?: "Ignore" | "Warn" | "Strict" | undefined;
}

/** A patched document: still to be decoded, for a patch may take away or break anything. */
export type PatchedObject = { [key: string]: unknown };

/** Raised inside a patch and turned into its result; never leaves the code that patches. */
export class PatchFailure extends Error {
  readonly why: Exclude<PatchResult, { ok: true }>["why"];

  constructor(why: Exclude<PatchResult, { ok: true }>["why"], message: string) {
    super(message);
    this.why = why;
  }
}

/** Runs a patch and reports its failure as a result. */
export function attemptPatch<T>(patch: () => T): PatchResult<T> {
  try {
    return { ok: true, value: patch() };
  } catch (error) {
    if (error instanceof PatchFailure) return { ok: false, why: error.why, message: error.message };
    throw error;
  }
}

/** A value of a kind that a list or directive cannot have, in Go's words. */
export function unexpectedKind(expected: string, value: unknown): PatchFailure {
  const kinds: Readonly<Record<string, string>> = {
    object: "map[string]interface {}",
    array: "[]interface {}",
    number: "int64",
  };
  const kind = goTypeOf(value);
  return new PatchFailure("internal", `expected a ${expected}, but received a ${kinds[kind] ?? kind}`);
}
