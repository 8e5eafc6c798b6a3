import { cloneJson, isJsonObject, member, membersBut, setMember } from "#base/json.ts";
import { goTypeOf } from "#base/patch/go-print.ts";
import {
  attemptPatch,
  type PatchedObject,
  PatchFailure,
  type PatchReading,
  type PatchResult,
} from "#base/patch/patch-result.ts";

/**
 * Applies a JSON merge patch (RFC 7386) to a copy of the document.
 *
 * Differs from the RFC where Kubernetes does: nulls inside a value that is set whole are dropped, in lists too.
 */
export function applyMergePatch(
  document: object,
  patch: unknown,
  { validation = "Warn", copy = cloneJson }: PatchReading & { readonly copy?: (document: object) => object } = {},
): PatchResult {
  return attemptPatch(() => {
    if (!isJsonObject(patch)) throw new PatchFailure("badRequest", unreadable(patch, validation));
    return mergePatched(copy(document), patch);
  });
}

/** The words depend on who reads the patch first: whoever looks for unknown and duplicate fields, or the library that merges. */
function unreadable(patch: unknown, validation: string): string {
  if (patch === null || validation === "Ignore") return "Invalid JSON Patch";
  return `error decoding patch: json: cannot unmarshal ${goTypeOf(patch)} into Go value of type map[string]interface {}`;
}

/** What a merge patch makes of a document: what it leaves alone is shared with the document, which stays as it is. */
export function mergePatched(document: object, patch: object): PatchedObject {
  return merged(document, cloneJson(patch));
}

function merged(document: object, patch: object): PatchedObject {
  const gone = new Set(Object.keys(patch).filter((key) => member(patch, key) === null));
  const target = membersBut(document, gone) as PatchedObject; // a document is an object
  for (const key of Object.keys(patch)) {
    const value = member(patch, key);
    const current = member(target, key);
    if (value === null) continue;
    if (isJsonObject(current) && isJsonObject(value)) setMember(target, key, merged(current, value));
    // Upstream forgets to drop nulls where a list takes an object's place.
    else setMember(target, key, isJsonObject(current) ? value : withoutNulls(value));
  }
  return target;
}

/** Drops members that are null, at any depth; elements of lists stay. Changes the value itself, which is a copy. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) for (const item of value) withoutNulls(item);
  if (!isJsonObject(value)) return value;
  const object = value as PatchedObject;
  for (const key of Object.keys(object)) {
    if (member(object, key) === null) delete object[key];
    else withoutNulls(member(object, key));
  }
  return object;
}
