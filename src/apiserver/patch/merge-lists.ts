import { isJsonObject, member, RawNumber } from "#base/json.ts";
import { goPrint, goText } from "#base/patch/go-print.ts";
import { type PatchedObject, PatchFailure, unexpectedKind } from "#base/patch/patch-result.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { arrangeList, elementKey, partition } from "./list-order.ts";
import type { FieldStrategy } from "./patch-strategy.ts";

/** Merges two elements; handed in because objects contain lists and lists objects. */
export type MergeObjects = (
  original: PatchedObject,
  patch: PatchedObject,
  schema: SchemaNode | undefined,
) => PatchedObject;

export interface ListFacts {
  readonly original: unknown[];
  readonly patch: unknown[];
  /** Empty or missing for lists of scalars. */
  readonly mergeKey?: string;
  readonly items?: SchemaNode | undefined;
  /** The patch lists scalars to remove. */
  readonly isDeletion?: boolean;
}

/** Merges a patch list into a list: objects by merge key, scalars as a set. Inputs may be changed. */
export function mergeLists(
  { original, patch, mergeKey = "", items, isDeletion = false }: ListFacts,
  mergeObjects: MergeObjects,
): unknown[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (elementKind(original, patch) !== "object") {
    if (isDeletion) return withoutValues(original, patch);
    return arranged({ merged: distinct([...original, ...patch]), order: patch, serverOrder: original, mergeKey });
  }
  if (mergeKey === "") throw new PatchFailure("internal", "cannot merge lists without merge key for struct");
  // Checked above: every element is an object.
  const special = applyListDirectives(original as PatchedObject[], patch as PatchedObject[], mergeKey);
  const merged = [...special.original];
  const places = firstPlaces(merged, mergeKey);
  for (const element of special.patch) {
    const value = elementKey(keyOf(element, mergeKey));
    const index = places.get(value);
    if (index !== undefined) merged[index] = mergeObjects(merged[index]!, element, items);
    else places.set(value, merged.push(element) - 1);
  }
  const serverOrder = special.original.map((element, index) => merged[index] ?? element);
  return arranged({ merged, order: special.patch, serverOrder, mergeKey });
}

export interface OrderFacts {
  readonly current: unknown[] | undefined;
  readonly patch: unknown[] | undefined;
  readonly order: unknown[];
  readonly field: FieldStrategy;
}

/** Merges a list and puts it into a wanted order; undefined when there is no list to order. */
export function orderLists(
  { current, patch, order, field }: OrderFacts,
  tools: { mergeObjects: MergeObjects; withoutDirectives: (value: unknown) => unknown },
): unknown[] | undefined {
  const { mergeKey, strategy, items } = field;
  requireOrder(patch ?? [], order, mergeKey);
  let merged: unknown[];
  if (current === undefined) {
    if (patch === undefined) return undefined;
    // A list without its directives is still a list.
    merged = tools.withoutDirectives(patch) as unknown[];
  } else if (patch === undefined) merged = current;
  else
    merged =
      strategy === "merge" ? mergeLists({ original: [...current], patch, mergeKey, items }, tools.mergeObjects) : patch;
  elementKind(current ?? [], patch ?? []);
  return arranged({ merged, order, serverOrder: current ?? [], mergeKey });
}

/** Removes what `$patch: delete` elements name; with `$patch: replace` only the patch's own elements stay. */
function applyListDirectives(
  original: PatchedObject[],
  patch: PatchedObject[],
  mergeKey: string,
): { original: PatchedObject[]; patch: PatchedObject[] } {
  const gone = new Set<unknown>();
  let isReplaced = false;
  const plain: PatchedObject[] = [];
  for (const element of patch) {
    if (!Object.hasOwn(element, "$patch")) {
      plain.push(element);
      continue;
    }
    const kind = element["$patch"];
    if (kind === "delete") gone.add(elementKey(keyOf(element, mergeKey)));
    else if (kind === "replace") isReplaced = true;
    else if (kind === "merge") throw new PatchFailure("internal", "merging lists cannot yet be specified in the patch");
    else throw new PatchFailure("internal", `unknown patch type: ${goText(kind)} in map: ${goPrint(element)}`);
  }
  if (isReplaced) return { original: plain, patch: [] };
  return { original: original.filter((element) => !gone.has(elementKey(member(element, mergeKey)))), patch: plain };
}

function firstPlaces(elements: readonly PatchedObject[], mergeKey: string): Map<unknown, number> {
  const places = new Map<unknown, number>();
  for (const [index, element] of elements.entries()) {
    const key = elementKey(member(element, mergeKey));
    if (!places.has(key)) places.set(key, index);
  }
  return places;
}

interface Arrangement {
  readonly merged: readonly unknown[];
  readonly order: readonly unknown[];
  readonly serverOrder: readonly unknown[];
  readonly mergeKey: string;
}

function arranged({ merged, order, serverOrder, mergeKey }: Arrangement): unknown[] {
  if (mergeKey !== "") requireKeys({ merged, order, serverOrder, mergeKey });
  const { listed, others } = partition(merged, order, mergeKey);
  return arrangeList({ listed, others, order, serverOrder, mergeKey });
}

/** Lists that merge by key hold only objects that have it. */
function requireKeys({ merged, order, serverOrder, mergeKey }: Arrangement): void {
  for (const element of merged) orderKey(element, mergeKey);
  const stranger = order.findIndex((element) => !isJsonObject(element));
  if (stranger >= 0 && partition(merged, order.slice(0, stranger), mergeKey).others.length > 0) {
    throw new PatchFailure("internal", `value for key ${stranger} is not a map`);
  }
  for (const element of [...order, ...serverOrder]) orderKey(element, mergeKey);
}

/** Elements that the patch sets must all be in the order, in the same sequence. */
function requireOrder(patch: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const elements = patch.filter((element) => !(isJsonObject(element) && element["$patch"] === "delete"));
  let next = 0;
  let at = 0;
  while (next < elements.length && at < order.length) {
    const element = elements[next];
    if (isJsonObject(element) && Object.hasOwn(element, "$patch")) next++;
    else if (elementKey(orderKey(element, mergeKey)) === elementKey(orderKey(order[at++], mergeKey))) next++;
  }
  if (next < elements.length) {
    const lists = `The order in patch list:\n${goPrint(patch)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`;
    throw new PatchFailure("internal", lists);
  }
}

function orderKey(element: unknown, mergeKey: string): unknown {
  if (mergeKey === "") return element;
  if (!isJsonObject(element)) throw unexpectedKind("map[string]interface {}", element);
  return keyOf(element, mergeKey);
}

function keyOf(element: object, mergeKey: string): unknown {
  if (Object.hasOwn(element, mergeKey)) return member(element, mergeKey);
  throw new PatchFailure("internal", `map: ${goPrint(element)} does not contain declared merge key: ${mergeKey}`);
}

/** All elements must be of one kind, and not lists; Go asks the first one alone whether it is a list. */
function elementKind(...lists: readonly (readonly unknown[])[]): string {
  let kind: string | undefined;
  for (const element of lists.flat()) {
    const own = kindOf(element);
    if (kind === undefined && own === "array")
      throw new PatchFailure("unprocessable", "lists of lists are not supported");
    if (kind !== undefined && own !== kind) {
      throw new PatchFailure("internal", `list element types are not identical: ${goPrint(lists)}`);
    }
    kind = own;
  }
  if (kind === undefined) throw new PatchFailure("internal", "no elements in any of the given slices");
  return kind;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (isJsonObject(value)) return "object";
  if (value instanceof RawNumber) return /[.eE]/.test(value.token) ? "float64" : "int64";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return value === null ? "null" : typeof value;
}

function withoutValues(list: readonly unknown[], values: readonly unknown[]): unknown[] {
  const gone = new Set(values.map(elementKey));
  return list.filter((value) => !gone.has(elementKey(value)));
}

/** Equal scalars once; the order is made afterwards. */
function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [elementKey(value), value])).values()];
}
