import type { SchemaNode } from "./schema-node.ts";

/** The schema of a declared property; never something inherited from Object.prototype. */
export function propertyOf(node: SchemaNode, key: string): SchemaNode | undefined {
  const properties = node.properties;
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** The schema of members that are not declared one by one, when there is one. */
export function additionalOf(node: SchemaNode): SchemaNode | undefined {
  const additional = node.additionalProperties;
  return typeof additional === "object" ? additional : undefined;
}

/**
 * Whether a node says nothing about what is inside: the published form of a JSON or RawExtension field. A structural
 * schema of a CRD never has such a node.
 */
export function isAnything(node: SchemaNode): boolean {
  return (
    node.type === undefined &&
    node.properties === undefined &&
    node.items === undefined &&
    node.additionalProperties === undefined &&
    node["x-kubernetes-int-or-string"] !== true
  );
}
