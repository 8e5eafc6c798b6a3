import { cloneJson, isJsonObject, member, setMember } from "#base/json.ts";
import { goTypeOf } from "#base/patch/go-print.ts";
import { attemptPatch, type PatchedObject, PatchFailure, type PatchResult } from "#base/patch/patch-result.ts";

/**
 * Applies a JSON merge patch (RFC 7386) to a copy of the document.
 *
 * Differs from the RFC where Kubernetes does: nulls inside a value that is set whole are dropped, in lists too.
 */
export function applyMergePatch(document: object, patch: unknown): PatchResult {
  return attemptPatch(() => {
    if (!isJsonObject(patch)) {
      const type = "map[string]interface {}";
      throw new PatchFailure(
        "badRequest",
        `error decoding patch: json: cannot unmarshal ${goTypeOf(patch)} into Go value of type ${type}`,
      );
    }
    // A document is an object; its copy may be changed.
    const target = cloneJson(document) as PatchedObject;
    mergeInto(target, cloneJson(patch));
    return target;
  });
}

function mergeInto(target: PatchedObject, patch: PatchedObject): void {
  for (const key of Object.keys(patch)) {
    const value = member(patch, key);
    const current = member(target, key);
    if (value === null) delete target[key];
    else if (isJsonObject(current) && isJsonObject(value)) mergeInto(current as PatchedObject, value as PatchedObject);
    // Upstream forgets to drop nulls where a list takes an object's place.
    else setMember(target, key, isJsonObject(current) ? value : withoutNulls(value));
  }
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
