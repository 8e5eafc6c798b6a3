import type { FieldError } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { additionalOf, propertyOf } from "./child-node.ts";
import { FieldPath } from "./field-path.ts";
import type { SchemaNode } from "./schema-node.ts";

type Members = Record<string, unknown>;

/** What is known of apiVersion, kind and metadata of an object inside another; who knows them hands it in. */
export interface ResourceRules {
  /** The first of them that is not of its type. */
  readonly typeError: (object: Members, path: string) => FieldError | undefined;
  /** Drops what metadata does not know, in place. */
  readonly prune: (object: Members) => void;
  /** What is wrong with them otherwise. */
  readonly errors: (object: Members, path: string) => readonly FieldError[];
}

/** Where to look: the whole value, or, of what is itself a resource, as a part of something. */
export interface EmbeddedOptions {
  readonly rules: ResourceRules;
  readonly path?: string;
}

/** Brings every resource inside a value into the form of a resource, in place; the first that cannot be is told. */
export function coerceEmbedded(value: unknown, node: SchemaNode, options: EmbeddedOptions): FieldError | undefined {
  const { rules, path = "" } = options;
  let first: FieldError | undefined;
  walkResources({ value, node, at: new FieldPath(path) }, (object, place) => {
    if (first !== undefined) return;
    first = rules.typeError(object, place);
    if (first === undefined) rules.prune(object);
  });
  return first;
}

/** What is wrong with the resources inside a value (`x-kubernetes-embedded-resource`). */
export function findEmbeddedErrors(
  value: unknown,
  node: SchemaNode,
  { rules, path = "" }: EmbeddedOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  walkResources({ value, node, at: new FieldPath(path) }, (object, place) =>
    errors.push(...rules.errors(object, place)),
  );
  return errors;
}

/** Whether there is a resource in a structural schema of a definition; hardly any has one. */
export function embedsResources(node: SchemaNode): boolean {
  const children = [...Object.values(node.properties ?? {}), node.items, additionalOf(node)];
  if (node["x-kubernetes-embedded-resource"] === true) return true;
  return children.some((child) => child !== undefined && embedsResources(child));
}

interface Position {
  readonly value: unknown;
  readonly node: SchemaNode;
  readonly at: FieldPath;
}

function walkResources({ value, node, at }: Position, visit: (object: Members, path: string) => void): void {
  if (Array.isArray(value)) {
    if (node.items === undefined) return;
    for (const [index, item] of value.entries()) {
      at.push(index);
      walkResources({ value: item, node: node.items, at }, visit);
      at.pop();
    }
    return;
  }
  if (!isJsonObject(value)) return;
  if (node["x-kubernetes-embedded-resource"] === true) visit(value, at.printWithKeys());
  for (const key in value) {
    const declared = propertyOf(node, key);
    const child = declared ?? additionalOf(node);
    if (child === undefined) continue;
    if (declared === undefined) at.pushKey(key);
    else at.push(key);
    walkResources({ value: value[key], node: child, at }, visit);
    at.pop();
  }
}
