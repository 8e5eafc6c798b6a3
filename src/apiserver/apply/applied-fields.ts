import { isJsonObject, member, RawNumber } from "#base/json.ts";
import { goPrint, goSyntax } from "#base/patch/go-print.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { emptySet, type FieldSet, NodeBuilder, withSelf } from "./field-set.ts";
import { describePath, fieldElement, type PathElement } from "./path-element.ts";
import { allowsUnknown, isNamedField, ListSteps, memberNode, shapeOf } from "./shape.ts";

/** Every leaf field and list element that an object mentions. Upstream: structured-merge-diff tofieldset.go. */
export function fieldsOf(object: object, schema: SchemaNode): FieldSet {
  return membersNode(object, schema) ?? emptySet;
}

/** What is wrong with an object that is to be applied, as `.path: reason` lines; it must fit the schema in every field. */
export function findMisfits(object: object, schema: SchemaNode): readonly string[] {
  const misfits: string[] = [];
  checkMembers(object, schema, { path: [], misfits });
  return misfits;
}

/** The node of an object's members, or nothing when it mentions none. */
function membersNode(object: object, node: SchemaNode | undefined): FieldSet | undefined {
  const children = new NodeBuilder();
  for (const key in object) {
    const value = member(object, key);
    if (value === undefined) continue;
    const child = valueNode(value, memberNode(node, key));
    // A struct's field is there by what is in it; a map's key is something of its own.
    const isSelf = isEmptyValue(value) || !isNamedField(node, key);
    if (child !== undefined) children.add(fieldElement(key), isSelf ? withSelf(child, true) : child);
    else if (isSelf) children.add(fieldElement(key), emptySet);
  }
  return children.isEmpty ? undefined : children.build("between");
}

function valueNode(value: unknown, node: SchemaNode | undefined): FieldSet | undefined {
  if (value === null) return undefined;
  if (shapeOf(node, value) === "leaf") return emptySet;
  if (isJsonObject(value)) return membersNode(value, node);
  // Only a node makes a list associative.
  return itemsNode(value as readonly unknown[], node!);
}

/** Elements with equal keys are owned together, without what is inside. */
function itemsNode(items: readonly unknown[], node: SchemaNode): FieldSet | undefined {
  const steps = new ListSteps(node);
  const found = new Map<PathElement, FieldSet>();
  for (const item of items) {
    const element = steps.stepTo(item);
    if (element === undefined) continue;
    const child = found.has(element) ? emptySet : (valueNode(item, node.items) ?? emptySet);
    found.set(element, withSelf(child, true));
  }
  const children = new NodeBuilder();
  for (const [element, child] of found) children.add(element, child);
  return children.isEmpty ? undefined : children.build("between");
}

function isEmptyValue(value: unknown): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
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
  const steps = shapeOf(node, items) === "list" ? new ListSteps(node) : undefined;
  const seen = new Set<PathElement>();
  for (const [index, item] of items.entries()) {
    const element = steps === undefined ? `i:${index}` : steps.stepTo(item);
    if (element === undefined) {
      walk.misfits.push(`${describePath(walk.path)}: element ${index}: ${steps?.problemOf(item)}`);
      return;
    }
    if (seen.has(element)) {
      walk.misfits.push(`${describePath(walk.path)}: duplicate entries for key ${describePath([element])}`);
    }
    seen.add(element);
    checkValue(item, node.items, { path: [...walk.path, element], misfits: walk.misfits });
  }
}

function kindProblem(value: unknown, node: SchemaNode): string | undefined {
  const isNumber = typeof value === "number" || value instanceof RawNumber;
  if (node["x-kubernetes-preserve-unknown-fields"] === true && node.properties === undefined) return undefined;
  switch (node.type) {
    case "object":
      return isJsonObject(value) ? undefined : `expected map, got &{${goPrint(value)}}`;
    case "array":
      return Array.isArray(value) ? undefined : `expected list, got &{${goPrint(value)}}`;
    case "integer":
    case "number":
      return isNumber ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected boolean, got &{${goPrint(value)}}`;
    case "string":
      if (node.format === "byte" || (node.format ?? "") === "") return stringProblem(value);
      return scalarProblem(value);
    default:
      return node.format === "quantity" ? scalarProblem(value) : undefined;
  }
}

function stringProblem(value: unknown): string | undefined {
  if (typeof value === "string") return undefined;
  return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
}

/** A time, an amount or an int-or-string may be any of them. */
function scalarProblem(value: unknown): string | undefined {
  return Array.isArray(value) || isJsonObject(value) ? `expected any scalar, got &{${goPrint(value)}}` : undefined;
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (isJsonObject(value)) return "map[string]interface {}";
  return typeof value === "boolean" ? "bool" : typeof value;
}
