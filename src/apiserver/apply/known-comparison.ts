import { isJsonObject, jsonEquals, member } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { type Comparison, type States, sameValue } from "./compare-objects.ts";
import { isEmptySet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";
import { type PathTree, pathTree } from "./path-tree.ts";
import { ListSteps, memberNode, type Shape, shapeOf } from "./shape.ts";

/** What is expected of one path: that it is in none of the sets, or leads to something in some. */
interface Expected {
  readonly removed: PathTree | undefined;
  readonly modified: PathTree | undefined;
  readonly added: PathTree | undefined;
}

/** Two values of one path. */
interface Pair<Value> extends Expected {
  readonly before: Value;
  readonly after: Value;
  readonly node: SchemaNode | undefined;
}

/**
 * What compareObjects found once. Thousands of objects of a kind change in the same fields: to see that two states differ in just those
 * takes a look at them, and nothing has to be built. May say no where the comparison is the same; never yes where it is not.
 */
export class KnownComparison {
  readonly comparison: Comparison;
  readonly #expected: Expected;

  constructor(comparison: Comparison) {
    this.comparison = comparison;
    const tree = (set: Comparison["added"]) => (isEmptySet(set) ? undefined : pathTree(set));
    this.#expected = {
      removed: tree(comparison.removed),
      modified: tree(comparison.modified),
      added: tree(comparison.added),
    };
  }

  isOf({ before, after, schema }: States): boolean {
    const { removed, modified, added } = this.#expected;
    return membersFit({ before, after, node: schema, removed, modified, added });
  }
}

function membersFit({ before, after, node, removed, modified, added }: Pair<object>): boolean {
  if (hasElements(removed) || hasElements(modified) || hasElements(added)) return false;
  let missing = countOf(removed?.fields) + countOf(modified?.fields) + countOf(added?.fields);
  for (const key in before) {
    const left = member(before, key);
    const right = member(after, key);
    if (left === right) continue;
    const pair: Pair<unknown> = {
      before: left,
      after: right,
      node: memberNode(node, key),
      removed: removed?.fields.get(key),
      modified: modified?.fields.get(key),
      added: added?.fields.get(key),
    };
    const found = countParts(pair);
    if (!(found === 0 ? jsonEquals(left, right) : valuesFit(pair))) return false;
    missing -= found;
  }
  for (const key in after) {
    const right = member(after, key);
    if (Object.hasOwn(before, key) || right === undefined) continue;
    const whole = added?.fields.get(key);
    if (whole === undefined || removed?.fields.has(key) || modified?.fields.has(key)) return false;
    if (!isWhole(right, memberNode(node, key), whole)) return false;
    missing--;
  }
  return missing === 0;
}

function valuesFit(pair: Pair<unknown>): boolean {
  const { before, after, node, removed, modified, added } = pair;
  if (before === undefined)
    return added !== undefined && !removed && !modified && after !== undefined && isWhole(after, node, added);
  if (after === undefined) return removed !== undefined && !modified && !added && isWhole(before, node, removed);
  const shape = shapeOf(node, after ?? before);
  if (before !== null && after !== null && shapeOf(node, before) !== shape) return false; // rare, and both count
  return shapedFit(shape, pair);
}

function shapedFit(shape: Shape, pair: Pair<unknown>): boolean {
  const { before, after, node, removed, modified, added } = pair;
  if (shape === "map") {
    const left = isJsonObject(before) ? before : {};
    const right = isJsonObject(after) ? after : {};
    if (hasMembers(left) || hasMembers(right))
      return !isMember(pair) && membersFit({ before: left, after: right, node, removed, modified, added });
  } else if (shape === "list") {
    const left: readonly unknown[] = Array.isArray(before) ? before : [];
    const right: readonly unknown[] = Array.isArray(after) ? after : [];
    if (left.length > 0 || right.length > 0)
      return !isMember(pair) && itemsFit({ before: left, after: right, node, removed, modified, added });
  }
  return !removed && !added && modified !== undefined && isLeaf(modified) && !sameValue(before, after);
}

function itemsFit({ before, after, node, removed, modified, added }: Pair<readonly unknown[]>): boolean {
  if (countOf(removed?.fields) + countOf(modified?.fields) + countOf(added?.fields) > 0) return false;
  const steps = new ListSteps(node!); // only a node makes a list associative
  const left = itemsByStep(before, steps);
  const right = itemsByStep(after, steps);
  if (left === undefined || right === undefined) return false;
  let missing = countOf(removed?.elements) + countOf(modified?.elements) + countOf(added?.elements);
  const isFit = (element: PathElement, was: unknown, is: unknown): boolean => {
    const pair: Pair<unknown> = {
      before: was,
      after: is,
      node: node!.items,
      removed: removed?.elements.get(element),
      modified: modified?.elements.get(element),
      added: added?.elements.get(element),
    };
    const found = countParts(pair);
    missing -= found;
    return found === 0 ? jsonEquals(was, is) : valuesFit(pair);
  };
  for (const [element, item] of left) if (!isFit(element, item, right.get(element))) return false;
  for (const [element, item] of right) if (!left.has(element) && !isFit(element, undefined, item)) return false;
  return missing === 0;
}

/** Whether a value has just the paths of a tree, its own included: see wholeNode. */
function isWhole(value: unknown, node: SchemaNode | undefined, tree: PathTree): boolean {
  if (!tree.isMember) return false;
  const shape = shapeOf(node, value);
  if (shape === "leaf") return isLeaf(tree);
  if (shape === "list") return tree.fields.size === 0 && areWhole(value as readonly unknown[], node!, tree);
  if (tree.elements.size > 0) return false;
  let missing = tree.fields.size;
  for (const key in value as object) {
    const child = member(value as object, key);
    if (child === undefined) continue;
    const below = tree.fields.get(key);
    if (below === undefined || !isWhole(child, memberNode(node, key), below)) return false;
    missing--;
  }
  return missing === 0;
}

function areWhole(items: readonly unknown[], node: SchemaNode, tree: PathTree): boolean {
  const found = itemsByStep(items, new ListSteps(node));
  if (found === undefined || found.size !== tree.elements.size) return false;
  for (const [element, item] of found) {
    const below = tree.elements.get(element);
    if (below === undefined || !isWhole(item, node.items, below)) return false;
  }
  return true;
}

/** Undefined where two have the same keys, or where no step leads to one: others know what becomes of those. */
function itemsByStep(items: readonly unknown[], steps: ListSteps): Map<PathElement, unknown> | undefined {
  const found = new Map<PathElement, unknown>();
  for (const item of items) {
    const element = steps.stepTo(item);
    if (element === undefined || found.has(element)) return undefined;
    found.set(element, item);
  }
  return found;
}

function isMember({ removed, modified, added }: Expected): boolean {
  return removed?.isMember === true || modified?.isMember === true || added?.isMember === true;
}

function countParts({ removed, modified, added }: Expected): number {
  return (removed === undefined ? 0 : 1) + (modified === undefined ? 0 : 1) + (added === undefined ? 0 : 1);
}

function countOf(paths: ReadonlyMap<string, PathTree> | undefined): number {
  return paths === undefined ? 0 : paths.size;
}

function hasElements(tree: PathTree | undefined): boolean {
  return tree !== undefined && tree.elements.size > 0;
}

function isLeaf({ isMember: isOwn, fields, elements }: PathTree): boolean {
  return isOwn && fields.size === 0 && elements.size === 0;
}

function hasMembers(object: object): boolean {
  for (const _ in object) return true;
  return false;
}
