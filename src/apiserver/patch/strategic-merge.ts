/**
 * Strategic merge patch: a merge patch whose lists are merged by the keys that the schema declares.
 *
 * Directives in a patch:
 * - `$patch: delete|replace` in an object: nothing of the old, only the new; in a list element: remove that element, or
 *   take only this patch's elements
 * - `$retainKeys: [a, b]`: drop every other member of the object
 * - `$deleteFromPrimitiveList/x: [...]`: remove these values from the list x
 * - `$setElementOrder/x: [...]`: the wanted order of list x; what only the server has keeps its place between
 *
 * Upstream: k8s.io/apimachinery/pkg/util/strategicpatch mergeMap.
 */
import { goQuote } from "#base/go-text.ts";
import { cloneJson, isJsonObject, member, setMember } from "#base/json.ts";
import { goPrint, goText, goTypeOf } from "#base/patch/go-print.ts";
import {
  attemptPatch,
  type PatchedObject,
  PatchFailure,
  type PatchResult,
  unexpectedKind,
} from "#base/patch/patch-result.ts";
import { additionalOf, propertyOf } from "#schema/child-node.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { mergeLists, orderLists } from "./merge-lists.ts";
import { type FieldStrategy, fieldStrategy } from "./patch-strategy.ts";

const directive = "$patch";
const retainKeys = "$retainKeys";
const deletePrefix = "$deleteFromPrimitiveList";
const orderPrefix = "$setElementOrder";

/** What was made of a document, and what merging left of the patch: messages show it. */
export interface StrategicMerge {
  readonly document: PatchedObject;
  readonly patch: PatchedObject;
}

/** Applies a strategic merge patch to a copy of the document; null is one that changes nothing. */
export function applyStrategicMerge(document: object, patch: unknown, schema: SchemaNode): PatchResult<StrategicMerge> {
  return attemptPatch(() => {
    if (patch !== null && !isJsonObject(patch)) {
      const type = "map[string]interface {}";
      throw new PatchFailure("badRequest", `json: cannot unmarshal ${goTypeOf(patch)} into Go value of type ${type}`);
    }
    // Both copies are changed on the way.
    const rest = cloneJson(patch ?? {}) as PatchedObject;
    return { document: mergeObjects(cloneJson(document) as PatchedObject, rest, schema), patch: rest };
  });
}

/** Merges a patch into an object and returns the result, which may be either; both are changed. */
export function mergeObjects(
  original: PatchedObject,
  patch: PatchedObject,
  schema: SchemaNode | undefined,
): PatchedObject {
  if (Object.hasOwn(patch, directive)) return applyDirective(patch);
  applyRetainKeys(original, patch);
  applyElementOrders({ original, patch, schema });
  for (const patchKey of Object.keys(patch)) {
    const value = member(patch, patchKey);
    const isDeletion = patchKey.startsWith(deletePrefix);
    const key = isDeletion ? listName(patchKey, deletePrefix) : patchKey;
    if (value === null) delete original[key];
    else if (isDeletion) deleteValues({ original, key, value, schema });
    else mergeMember({ original, key, value, schema });
  }
  return original;
}

function applyDirective(patch: PatchedObject): PatchedObject {
  const kind = patch[directive];
  if (kind === "delete") return {};
  if (kind !== "replace")
    throw new PatchFailure("internal", `unknown patch type: ${goText(kind)} in map: ${goPrint(patch)}`);
  delete patch[directive];
  return patch;
}

interface MemberFacts {
  readonly original: PatchedObject;
  readonly key: string;
  readonly value: unknown;
  readonly schema: SchemaNode | undefined;
}

function mergeMember({ original, key, value, schema }: MemberFacts): void {
  const current = member(original, key);
  const { node, items, strategy, mergeKey } = fieldStrategy(schema, key);
  if (isJsonObject(current) && isJsonObject(value)) {
    if (schema !== undefined && isMap(schema, key)) throw new PatchFailure("internal", notAStruct);
    const patch = value as PatchedObject;
    setMember(original, key, strategy === "replace" ? patch : mergeObjects(current as PatchedObject, patch, node));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const merged =
      strategy === "merge" ? mergeLists({ original: current, patch: value, mergeKey, items }, mergeObjects) : value;
    setMember(original, key, merged);
  } else {
    dropNulls(value);
    setOrDrop(original, key, value);
  }
}

const notAStruct = "merging an object in json but data type is not struct, instead is: map";

/** A map has no fields that could say how objects in it are merged. */
function isMap(schema: SchemaNode, key: string): boolean {
  return propertyOf(schema, key) === undefined && additionalOf(schema) !== undefined;
}

/** Sets what is left of a value without its directives. */
function setOrDrop(original: PatchedObject, key: string, value: unknown): void {
  const kept = withoutDirectives(value);
  if (kept === undefined) delete original[key];
  else setMember(original, key, kept);
}

/** `$retainKeys` names every member that the patch sets; all others go. */
function applyRetainKeys(original: PatchedObject, patch: PatchedObject): void {
  if (!Object.hasOwn(patch, retainKeys)) return;
  const names = patch[retainKeys];
  delete patch[retainKeys];
  const bad = () => new PatchFailure("badRequest", "invalid patch format of retainKeys");
  if (!Array.isArray(names)) throw bad();
  const retained = new Set<unknown>(names);
  for (const key of Object.keys(patch)) {
    const isFree = member(patch, key) === null || key.startsWith(deletePrefix) || key.startsWith(orderPrefix);
    if (!isFree && !retained.has(key)) throw bad();
  }
  for (const key of Object.keys(original)) if (!retained.has(key)) delete original[key];
}

/** Merges and orders each list that has an order; takes list and order out of the patch. */
function applyElementOrders({
  original,
  patch,
  schema,
}: {
  original: PatchedObject;
  patch: PatchedObject;
  schema: SchemaNode | undefined;
}): void {
  for (const orderKey of Object.keys(patch)) {
    if (!orderKey.startsWith(orderPrefix)) continue;
    const order = asList(patch[orderKey]);
    delete patch[orderKey];
    const key = listName(orderKey, orderPrefix);
    const hasCurrent = Object.hasOwn(original, key);
    const hasPatch = Object.hasOwn(patch, key);
    const current = hasCurrent ? asList(original[key]) : undefined;
    const values = hasPatch ? asList(patch[key]) : undefined;
    const ordered = orderLists(
      { current, patch: values, order, field: declaredField(schema, key, original) },
      { mergeObjects, withoutDirectives },
    );
    if (ordered === undefined) continue;
    setMember(original, key, ordered);
    delete patch[key];
  }
}

/** An order is for a field that the struct has; a schema without a name is that of the object itself. */
function declaredField(schema: SchemaNode | undefined, key: string, object: PatchedObject): FieldStrategy {
  const field = fieldStrategy(schema, key);
  if (field.node !== undefined || schema?.properties === undefined) return field;
  const struct = schema.title?.split(".").at(-1) ?? String(object["kind"]);
  throw new PatchFailure("internal", `unable to find api field in struct ${struct} for the json field ${goQuote(key)}`);
}

function deleteValues({ original, key, value, schema }: MemberFacts): void {
  const current = member(original, key);
  if (!Array.isArray(current) || !Array.isArray(value)) return;
  const { mergeKey, items } = fieldStrategy(schema, key);
  setMember(
    original,
    key,
    mergeLists({ original: current, patch: value, mergeKey, items, isDeletion: true }, mergeObjects),
  );
}

function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw unexpectedKind("[]interface {}", value);
}

/** `$setElementOrder/ports` names `ports`. */
function listName(key: string, prefix: string): string {
  const slash = key.indexOf("/");
  if (slash === prefix.length) return key.slice(slash + 1);
  const what = prefix === deletePrefix ? "primitive list" : "setElementOrder list";
  throw new PatchFailure("badRequest", `invalid patch format of ${what}`);
}

/** What a value is without objects that carry a directive; undefined when it is itself one. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  const object = value as PatchedObject;
  for (const key of Object.keys(object)) setOrDrop(object, key, member(object, key));
  return object;
}

function dropNulls(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item);
  } else if (isJsonObject(value)) {
    const object = value as PatchedObject;
    for (const key of Object.keys(object)) {
      if (member(object, key) === null) delete object[key];
      else dropNulls(member(object, key));
    }
  }
}
