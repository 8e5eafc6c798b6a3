import { isJsonObject, member, setMember } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { type FieldSet, isEmptySet, isMember } from "./field-set.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { isNamedField, ListSteps, memberNode, shapeOf } from "./shape.ts";

/** An object without the fields and list elements of a set. Upstream: structured-merge-diff remove.go. */
export function withoutItems(object: object, items: FieldSet, schema: SchemaNode): Record<string, unknown> {
  return membersWithout(object, items, schema);
}

/** The set together with the named fields that lead to its paths: a struct's field goes when all that it had was owned. */
export function withNamedFields(set: FieldSet, node: SchemaNode | undefined): FieldSet {
  const result: { [element: PathElement]: FieldSet } = {};
  for (const element in set) {
    const child = set[element]!;
    if (element === "." || isEmptySet(child)) {
      result[element] = child;
      continue;
    }
    const isField = element.startsWith("f:");
    const name = element.slice(2);
    const inner = withNamedFields(
      child,
      isField ? memberNode(node, name) : element.startsWith("k:") ? node?.items : undefined,
    );
    const isNamed = isField && isNamedField(node, name);
    result[element] = isNamed && !("." in inner) ? { ".": {}, ...inner } : inner;
  }
  return result;
}

function membersWithout(object: object, items: FieldSet, node: SchemaNode | undefined): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const key in object) {
    const inner = items[fieldElement(key)];
    const child = member(object, key);
    if (inner === undefined) setMember(value, key, child);
    else if (!isMember(inner)) setMember(value, key, valueWithout(child, inner, memberNode(node, key)));
  }
  return value;
}

/** An object or list that loses everything stays, empty. */
function valueWithout(value: unknown, items: FieldSet, node: SchemaNode | undefined): unknown {
  const shape = shapeOf(node, value);
  if (isJsonObject(value)) return shape === "map" ? membersWithout(value, items, node) : {};
  if (!Array.isArray(value)) return value;
  // Only a node makes a list associative.
  return shape === "list" ? itemsWithout(value, items, node!) : [];
}

function itemsWithout(list: readonly unknown[], items: FieldSet, node: SchemaNode): unknown[] {
  const kept: unknown[] = [];
  const steps = new ListSteps(node);
  for (const item of list) {
    const element = steps.stepTo(item);
    const inner = element === undefined ? undefined : items[element];
    if (inner === undefined) kept.push(item);
    else if (!isMember(inner)) kept.push(valueWithout(item, inner, node.items));
  }
  return kept;
}
