import { isJsonObject, member, setMember } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import type { PathElement } from "./path-element.ts";
import { ListSteps, memberNode, shapeOf } from "./shape.ts";

/**
 * Lays a partial object over another: where both have a leaf, the partial one's counts; nothing is removed.
 * Parts of both may be shared with the result. Upstream: structured-merge-diff merge.go.
 */
export function overlayObject(base: object, partial: object, schema: SchemaNode): Record<string, unknown> {
  return overlayMembers(base, partial, schema);
}

function overlayMembers(base: object, partial: object, node: SchemaNode | undefined): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key in base) {
    setMember(result, key, overlay(member(base, key), member(partial, key), memberNode(node, key)));
  }
  for (const key in partial) if (!Object.hasOwn(base, key)) setMember(result, key, member(partial, key));
  return result;
}

function overlay(base: unknown, partial: unknown, node: SchemaNode | undefined): unknown {
  if (partial === undefined) return base;
  if (base === undefined) return partial;
  const shape = partial === null ? shapeOf(node, base) : shapeOf(node, partial);
  if (shape === "map") {
    const left = isJsonObject(base) ? base : {};
    const right = isJsonObject(partial) ? partial : {};
    if (Object.keys(left).length === 0 && Object.keys(right).length === 0) return partial;
    return overlayMembers(left, right, node);
  }
  if (shape === "list") {
    const left: readonly unknown[] = Array.isArray(base) ? base : [];
    const right: readonly unknown[] = Array.isArray(partial) ? partial : [];
    if (left.length === 0 && right.length === 0) return partial;
    // Only a node makes a list associative.
    return new ListOverlay(left, right, node!).merge();
  }
  return partial;
}

/** Elements of both lists in an order that keeps the partial list's own, and the base's for what only it has. */
class ListOverlay {
  readonly #node: SchemaNode;
  readonly #left: readonly Item[];
  readonly #right: readonly Item[];
  readonly #leftValues = new Map<PathElement, unknown>();
  readonly #rightValues = new Map<PathElement, unknown>();
  readonly #merged = new Set<PathElement>();
  /** Steps that both have, in the partial list's order, and which of them comes next. */
  readonly #shared: readonly PathElement[];
  #next = 0;
  readonly #out: unknown[] = [];

  constructor(left: readonly unknown[], right: readonly unknown[], node: SchemaNode) {
    this.#node = node;
    const steps = new ListSteps(node);
    this.#left = itemsOf(left, steps);
    this.#right = itemsOf(right, steps);
    for (const { element, value } of this.#left) {
      // Elements with equal keys are not merged with the new one.
      this.#leftValues.set(element, this.#leftValues.has(element) ? undefined : value);
    }
    for (const { element, value } of this.#right) this.#rightValues.set(element, value);
    this.#shared = this.#right.map(({ element }) => element).filter((element) => this.#leftValues.has(element));
  }

  merge(): unknown[] {
    let l = 0;
    let r = 0;
    while (l < this.#left.length || r < this.#right.length) {
      const left = this.#left[l];
      const right = this.#right[r];
      if (left !== undefined && right !== undefined) {
        if (left.element === right.element) {
          this.#takeBoth(right.element);
          this.#next++;
          l++;
          r++;
          continue;
        }
        const next = this.#shared[this.#next];
        if (this.#rightValues.has(left.element) && next !== undefined && next !== left.element) {
          l++;
          continue;
        }
      }
      if (left !== undefined) {
        if (!this.#rightValues.has(left.element)) {
          this.#out.push(left.value);
          l++;
          continue;
        }
        if (this.#merged.has(left.element)) l++;
      }
      if (right !== undefined) {
        this.#takeBoth(right.element);
        r++;
        if (this.#shared[this.#next] === right.element) this.#next++;
      }
    }
    return this.#out;
  }

  #takeBoth(element: PathElement): void {
    this.#merged.add(element);
    this.#out.push(overlay(this.#leftValues.get(element), this.#rightValues.get(element), this.#node.items));
  }
}

interface Item {
  readonly element: PathElement;
  readonly value: unknown;
}

function itemsOf(items: readonly unknown[], steps: ListSteps): readonly Item[] {
  return items.flatMap((value) => {
    const element = steps.stepTo(value);
    return element === undefined ? [] : [{ element, value }];
  });
}
