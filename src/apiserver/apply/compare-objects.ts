import { isJsonObject, jsonEquals, member, RawNumber } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { emptySet, type FieldSet, NodeBuilder, unionNodes } from "./field-set.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { ListSteps, memberNode, type Shape, shapeOf } from "./shape.ts";
import { wholeNode } from "./whole-node.ts";

/** What changed from one object to another; no path is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Two states of one object. */
export interface States {
  readonly before: object;
  readonly after: object;
  readonly schema: SchemaNode;
}

/** Compares two objects of one schema as far as ownership divides them. Upstream: structured-merge-diff compare.go. */
export function compareObjects({ before, after, schema }: States): Comparison {
  const { removed, modified, added } = compareMembers({ before, after, node: schema });
  return { removed: removed ?? emptySet, modified: modified ?? emptySet, added: added ?? emptySet };
}

/** Nodes of one path, where there is something to say. */
interface Change {
  readonly removed?: FieldSet | undefined;
  readonly modified?: FieldSet | undefined;
  readonly added?: FieldSet | undefined;
}

/** Absent is undefined; null is a value. */
interface Sides<Value> {
  readonly before: Value;
  readonly after: Value;
  readonly node: SchemaNode | undefined;
}

const noChange: Change = {};

function compareMembers({ before, after, node }: Sides<object>): Change {
  let children: Children | undefined;
  for (const key in before) {
    const left = member(before, key);
    const right = member(after, key);
    // Most fields do not change, and what two states share is the same.
    if (left === right) continue;
    const change = compareValues({ before: left, after: right, node: memberNode(node, key) });
    if (change === noChange) continue;
    children ??= new Children();
    children.add(fieldElement(key), change);
  }
  for (const key in after) {
    if (Object.hasOwn(before, key) || member(after, key) === undefined) continue;
    children ??= new Children();
    children.add(fieldElement(key), { added: wholeNode(member(after, key), memberNode(node, key)) });
  }
  return children === undefined ? noChange : children.build();
}

function compareValues(sides: Sides<unknown>): Change {
  const { before, after, node } = sides;
  if (before === undefined) return { added: wholeNode(after, node) };
  if (after === undefined) return { removed: wholeNode(before, node) };
  if (before === null || after === null) return compareAs(shapeOf(node, after ?? before), sides);
  const shape = shapeOf(node, after);
  const shapeBefore = shapeOf(node, before);
  if (shapeBefore === shape) return compareAs(shape, sides);
  return joined(compareAs(shapeBefore, sides), compareAs(shape, sides));
}

function compareAs(shape: Shape, { before, after, node }: Sides<unknown>): Change {
  if (shape === "map") {
    const left = isJsonObject(before) ? before : {};
    const right = isJsonObject(after) ? after : {};
    if (!isEmptyObject(left) || !isEmptyObject(right)) return compareMembers({ before: left, after: right, node });
  } else if (shape === "list") {
    const left: readonly unknown[] = Array.isArray(before) ? before : [];
    const right: readonly unknown[] = Array.isArray(after) ? after : [];
    // Only a node makes a list associative.
    if (left.length > 0 || right.length > 0) return compareItems({ before: left, after: right, node: node! });
  }
  return sameValue(before, after) ? noChange : { modified: emptySet };
}

function compareItems({ before, after, node }: Sides<readonly unknown[]> & { readonly node: SchemaNode }): Change {
  // Finding elements by their keys costs more than seeing that nothing changed.
  if (jsonEquals(before, after)) return noChange;
  const steps = new ListSteps(node);
  const left = itemsByStep(before, steps);
  const right = itemsByStep(after, steps);
  const children = new Children();
  for (const [element, items] of left) {
    children.add(element, compareItem({ before: items, after: right.get(element) ?? [], node: node.items }));
  }
  for (const [element, items] of right) {
    if (!left.has(element)) children.add(element, compareItem({ before: [], after: items, node: node.items }));
  }
  return children.build();
}

/** Elements with equal keys are owned together, as one leaf. */
function compareItem({ before, after, node }: Sides<readonly unknown[]>): Change {
  if (before.length <= 1 && after.length <= 1) return compareValues({ before: before[0], after: after[0], node });
  if (before.length >= 2 && after.length >= 2) return jsonEquals(before, after) ? noChange : { modified: emptySet };
  if (before.length >= 2) {
    return { removed: emptySet, added: after.length === 0 ? undefined : wholeNode(after[0], node) };
  }
  return { added: emptySet, removed: before.length === 0 ? undefined : wholeNode(before[0], node) };
}

/** The changes of a node's children, put together by kind. */
class Children {
  #removed: NodeBuilder | undefined;
  #modified: NodeBuilder | undefined;
  #added: NodeBuilder | undefined;

  add(element: PathElement, { removed, modified, added }: Change): void {
    if (removed !== undefined) {
      this.#removed ??= new NodeBuilder();
      this.#removed.add(element, removed);
    }
    if (modified !== undefined) {
      this.#modified ??= new NodeBuilder();
      this.#modified.add(element, modified);
    }
    if (added !== undefined) {
      this.#added ??= new NodeBuilder();
      this.#added.add(element, added);
    }
  }

  build(): Change {
    if (this.#removed === undefined && this.#modified === undefined && this.#added === undefined) return noChange;
    return {
      removed: this.#removed?.build("between"),
      modified: this.#modified?.build("between"),
      added: this.#added?.build("between"),
    };
  }
}

/** A value that took another shape changed in both. */
function joined(a: Change, b: Change): Change {
  const both = (left: FieldSet | undefined, right: FieldSet | undefined) =>
    left === undefined || right === undefined ? (left ?? right) : unionNodes(left, right);
  return {
    removed: both(a.removed, b.removed),
    modified: both(a.modified, b.modified),
    added: both(a.added, b.added),
  };
}

/** Elements that no step leads to are nobody's. */
function itemsByStep(items: readonly unknown[], steps: ListSteps): Map<PathElement, unknown[]> {
  const found = new Map<PathElement, unknown[]>();
  for (const item of items) {
    const element = steps.stepTo(item);
    if (element === undefined) continue;
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}

function isEmptyObject(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

/** `1` and `1.0` are one number. */
export function sameValue(a: unknown, b: unknown): boolean {
  return jsonEquals(a, b) || (isNumeric(a) && isNumeric(b) && Number(a) === Number(b));
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || value instanceof RawNumber;
}
