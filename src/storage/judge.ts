import type { Entry } from "./store.ts";

/** Judges a write against the committed entry: the refusal, or undefined when it may go ahead. */
export type Judge<Value, Refusal> = (entry: Entry<Value> | undefined) => Refusal | undefined;

type Exists<Value> = { readonly ok: false; readonly why: "exists"; readonly entry: Entry<Value> };
type Missing = { readonly ok: false; readonly why: "missing" };
type Conflict<Value> = { readonly ok: false; readonly why: "conflict"; readonly entry: Entry<Value> };

/** A create needs absence. */
export function judgeCreate<Value>(entry: Entry<Value> | undefined): Exists<Value> | undefined {
  return entry === undefined ? undefined : { ok: false, why: "exists", entry };
}

/** An update or a deletion needs exactly the expected revision. */
export function judgeReplace<Value>(expected: number): Judge<Value, Missing | Conflict<Value>> {
  return (entry) => {
    if (entry === undefined) return { ok: false, why: "missing" };
    return entry.revision === expected ? undefined : { ok: false, why: "conflict", entry };
  };
}
