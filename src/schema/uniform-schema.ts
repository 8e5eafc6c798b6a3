import type { SchemaNode } from "./schema-node.ts";

/** A node that is being made; whatever it does not say is undefined. */
type Blank = { -readonly [Key in keyof SchemaNode]-?: SchemaNode[Key] | undefined };

/**
 * A node that says nothing yet. All are of one form: every write is judged by walks over nodes, and V8 reads members of objects that
 * differ in form from each other by looking each of them up.
 */
export function blankNode(): Blank {
  return {
    type: undefined,
    properties: undefined,
    items: undefined,
    additionalProperties: undefined,
    nullable: undefined,
    default: undefined,
    format: undefined,
    enum: undefined,
    required: undefined,
    "x-kubernetes-preserve-unknown-fields": undefined,
    "x-kubernetes-embedded-resource": undefined,
    "x-kubernetes-int-or-string": undefined,
    "x-kubernetes-list-type": undefined,
    "x-kubernetes-list-map-keys": undefined,
    "x-kubernetes-map-type": undefined,
    "x-kubernetes-patch-merge-key": undefined,
    "x-kubernetes-patch-strategy": undefined,
    "x-kubernetes-validations": undefined,
    allOf: undefined,
    anyOf: undefined,
    oneOf: undefined,
    not: undefined,
    minLength: undefined,
    maxLength: undefined,
    pattern: undefined,
    minimum: undefined,
    maximum: undefined,
    exclusiveMinimum: undefined,
    exclusiveMaximum: undefined,
    multipleOf: undefined,
    minItems: undefined,
    maxItems: undefined,
    uniqueItems: undefined,
    minProperties: undefined,
    maxProperties: undefined,
    description: undefined,
    title: undefined,
    example: undefined,
    goType: undefined,
    goItemType: undefined,
    goEmbedded: undefined,
  };
}

/** A schema of nodes of that form; those that have it are taken as they are. */
export function uniformSchema(schema: SchemaNode): SchemaNode {
  if (Object.hasOwn(schema, "goEmbedded")) return schema;
  const node: Blank = Object.assign(blankNode(), schema);
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, not } = schema;
  if (properties !== undefined)
    node.properties = Object.fromEntries(
      Object.entries(properties).map(([name, child]) => [name, uniformSchema(child)]),
    );
  if (items !== undefined) node.items = uniformSchema(items);
  if (typeof additionalProperties === "object") node.additionalProperties = uniformSchema(additionalProperties);
  if (allOf !== undefined) node.allOf = allOf.map(uniformSchema);
  if (anyOf !== undefined) node.anyOf = anyOf.map(uniformSchema);
  if (oneOf !== undefined) node.oneOf = oneOf.map(uniformSchema);
  if (not !== undefined) node.not = uniformSchema(not);
  return node as SchemaNode; // what it does not say is undefined
}
