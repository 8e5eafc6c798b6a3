import { isJsonObject, jsonEquals, member, RawNumber } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { type FieldSet, FieldSetBuilder } from "./field-set.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { elementOf, memberNode, type Shape, shapeOf } from "./shape.ts";

/** What changed from one object to another; no path is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two objects of one schema as far as ownership divides them. Upstream: structured-merge-diff compare.go. */
export function compareObjects(before: object, after: object, schema: SchemaNode): Comparison {
  const walk = new CompareWalk();
  walk.compareMembers(before, after, schema);
  return { removed: walk.removed.build(), modified: walk.modified.build(), added: walk.added.build() };
}

/** Absent is undefined; null is a value. */
class CompareWalk {
  readonly removed = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly added = new FieldSetBuilder();
  readonly #path: PathElement[] = [];

  compareMembers(before: object, after: object, node: SchemaNode | undefined): void {
    for (const key in before) this.#member(key, member(before, key), member(after, key), node);
    for (const key in after) {
      if (!Object.hasOwn(before, key)) this.#member(key, undefined, member(after, key), node);
    }
  }

  #member(key: string, before: unknown, after: unknown, node: SchemaNode | undefined): void {
    // Most fields do not change: scalars are told apart without a step into them.
    if (before === after) return;
    this.#path.push(fieldElement(key));
    this.#compare(before, after, memberNode(node, key));
    this.#path.pop();
  }

  #compare(before: unknown, after: unknown, node: SchemaNode | undefined): void {
    const hasBefore = before !== undefined && before !== null;
    const hasAfter = after !== undefined && after !== null;
    const shape = hasAfter ? shapeOf(node, after) : shapeOf(node, before);
    if (hasBefore && hasAfter) {
      const shapeBefore = shapeOf(node, before);
      if (shapeBefore !== shape) this.#compareAs(shapeBefore, { before, after, node });
    }
    const isLeaf = this.#compareAs(shape, { before, after, node });
    if (isLeaf) return;
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
  }

  /** Whether it was compared whole. */
  #compareAs(shape: Shape, { before, after, node }: Sides): boolean {
    if (shape === "map") {
      const left = isJsonObject(before) ? before : {};
      const right = isJsonObject(after) ? after : {};
      if (!isEmptyObject(left) || !isEmptyObject(right)) {
        this.compareMembers(left, right, node);
        return false;
      }
    } else if (shape === "list") {
      const left: readonly unknown[] = Array.isArray(before) ? before : [];
      const right: readonly unknown[] = Array.isArray(after) ? after : [];
      if (left.length > 0 || right.length > 0) {
        // Only a node makes a list associative.
        this.#compareItems(left, right, node!);
        return false;
      }
    }
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
    else if (!sameValue(before, after)) this.modified.insert(this.#path);
    return true;
  }

  #compareItems(before: readonly unknown[], after: readonly unknown[], node: SchemaNode): void {
    const left = itemsByElement(before, node);
    const right = itemsByElement(after, node);
    for (const [element, items] of left) this.#compareItem(element, items, right.get(element) ?? [], node);
    for (const [element, items] of right) if (!left.has(element)) this.#compareItem(element, [], items, node);
  }

  /** Elements with equal keys are owned together, as one leaf. */
  #compareItem(element: PathElement, before: readonly unknown[], after: readonly unknown[], node: SchemaNode): void {
    this.#path.push(element);
    if (before.length <= 1 && after.length <= 1) {
      if (before[0] !== after[0]) this.#compare(before[0], after[0], node.items);
    } else if (before.length >= 2 && after.length >= 2) {
      if (!jsonEquals(before, after)) this.modified.insert(this.#path);
    } else if (before.length >= 2) {
      if (after.length > 0) this.#compare(undefined, after[0], node.items);
      this.removed.insert(this.#path);
    } else {
      if (before.length > 0) this.#compare(before[0], undefined, node.items);
      this.added.insert(this.#path);
    }
    this.#path.pop();
  }
}

interface Sides {
  readonly before: unknown;
  readonly after: unknown;
  readonly node: SchemaNode | undefined;
}

/** Elements that cannot be told apart (no keys) are nobody's. */
function itemsByElement(items: readonly unknown[], node: SchemaNode): Map<PathElement, unknown[]> {
  const found = new Map<PathElement, unknown[]>();
  for (const item of items) {
    const step = elementOf(node, item);
    if ("error" in step) continue;
    const same = found.get(step.element);
    if (same === undefined) found.set(step.element, [item]);
    else same.push(item);
  }
  return found;
}

function isEmptyObject(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

/** `1` and `1.0` are one number. */
function sameValue(a: unknown, b: unknown): boolean {
  return jsonEquals(a, b) || (isNumeric(a) && isNumeric(b) && Number(a) === Number(b));
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || value instanceof RawNumber;
}
