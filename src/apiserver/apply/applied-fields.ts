import { isJsonObject, member, RawNumber } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { type FieldSet, FieldSetBuilder } from "./field-set.ts";
import { describePath, fieldElement, type PathElement } from "./path-element.ts";
import { allowsUnknown, elementOf, isNamedField, memberNode, shapeOf } from "./shape.ts";

/** Every leaf field and list element that an object mentions. Upstream: structured-merge-diff tofieldset.go. */
export function fieldsOf(object: object, schema: SchemaNode): FieldSet {
  const walk = new FieldWalk();
  walk.members(object, schema);
  return walk.found.build();
}

/** What is wrong with an object that is to be applied, as `.path: reason` lines; it must fit the schema in every field. */
export function findMisfits(object: object, schema: SchemaNode): readonly string[] {
  const misfits: string[] = [];
  checkMembers(object, schema, { path: [], misfits });
  return misfits;
}

class FieldWalk {
  readonly found = new FieldSetBuilder();
  readonly #path: PathElement[] = [];

  members(object: object, node: SchemaNode | undefined): void {
    for (const key in object) {
      const value = member(object, key);
      if (value === undefined) continue;
      this.#path.push(fieldElement(key));
      this.#value(value, memberNode(node, key));
      const isEmpty = value === null || (isJsonObject(value) && Object.keys(value).length === 0);
      if (isEmpty || !isNamedField(node, key)) this.found.insert(this.#path);
      this.#path.pop();
    }
  }

  #value(value: unknown, node: SchemaNode | undefined): void {
    if (value === null) return;
    const shape = shapeOf(node, value);
    if (shape === "leaf") this.found.insert(this.#path);
    else if (isJsonObject(value)) this.members(value, node);
    // Only a node makes a list associative.
    else this.#items(value as readonly unknown[], node!);
  }

  /** Elements with equal keys are owned together, without what is inside. */
  #items(items: readonly unknown[], node: SchemaNode): void {
    const elements = items.map((item) => elementOf(node, item));
    const counts = new Map<PathElement, number>();
    for (const step of elements) if ("element" in step) counts.set(step.element, (counts.get(step.element) ?? 0) + 1);
    for (const [index, step] of elements.entries()) {
      if ("error" in step) continue;
      this.#path.push(step.element);
      if (counts.get(step.element) === 1) this.#value(items[index], node.items);
      this.found.insert(this.#path);
      this.#path.pop();
    }
  }
}

interface MisfitWalk {
  readonly path: readonly PathElement[];
  readonly misfits: string[];
}

function checkMembers(object: object, node: SchemaNode | undefined, walk: MisfitWalk): void {
  for (const key in object) {
    const path = [...walk.path, fieldElement(key)];
    if (!isNamedField(node, key) && !allowsUnknown(node)) {
      walk.misfits.push(`${describePath(path)}: field not declared in schema`);
      return;
    }
    checkValue(member(object, key), memberNode(node, key), { path, misfits: walk.misfits });
  }
}

function checkValue(value: unknown, node: SchemaNode | undefined, walk: MisfitWalk): void {
  if (value === null || value === undefined || node === undefined) return;
  const problem = kindProblem(value, node);
  if (problem !== undefined) walk.misfits.push(`${describePath(walk.path)}: ${problem}`);
  else if (isJsonObject(value)) checkMembers(value, node, walk);
  else if (Array.isArray(value)) checkItems(value, node, walk);
}

function checkItems(items: readonly unknown[], node: SchemaNode, walk: MisfitWalk): void {
  const isAssociative = shapeOf(node, items) === "list";
  const seen = new Set<PathElement>();
  for (const [index, item] of items.entries()) {
    let element: PathElement = `i:${index}`;
    if (isAssociative) {
      const step = elementOf(node, item);
      if ("error" in step) {
        walk.misfits.push(`${describePath(walk.path)}: element ${index}: ${step.error}`);
        return;
      }
      element = step.element;
      if (seen.has(element)) {
        walk.misfits.push(`${describePath(walk.path)}: duplicate entries for key ${describePath([element])}`);
      }
      seen.add(element);
    }
    checkValue(item, node.items, { path: [...walk.path, element], misfits: walk.misfits });
  }
}

function kindProblem(value: unknown, node: SchemaNode): string | undefined {
  const isNumber = typeof value === "number" || value instanceof RawNumber;
  switch (node.type) {
    case "object":
      return isJsonObject(value) ? undefined : `expected map, got ${printKind(value)}`;
    case "array":
      return Array.isArray(value) ? undefined : `expected list, got ${printKind(value)}`;
    case "integer":
    case "number":
      return isNumber ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got ${printKind(value)}`;
    case "string":
      return typeof value === "string" || (node.format ?? "") !== ""
        ? undefined
        : `expected string, got ${printKind(value)}`;
    default:
      return undefined;
  }
}

/** Values are named by kind only: a message must not repeat a secret. */
function printKind(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return isJsonObject(value) ? "map" : value instanceof RawNumber ? "number" : typeof value;
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (isJsonObject(value)) return "map[string]interface {}";
  return typeof value === "boolean" ? "bool" : typeof value;
}
