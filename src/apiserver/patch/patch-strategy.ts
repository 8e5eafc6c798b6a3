import { additionalOf, propertyOf } from "#schema/child-node.ts";
import type { SchemaNode } from "#schema/schema-node.ts";

/** How the schema wants one field to be patched. */
export interface FieldStrategy {
  /** Of the field itself; undefined where the schema says nothing. */
  readonly node: SchemaNode | undefined;
  /** Of the elements, when it is a list. */
  readonly items: SchemaNode | undefined;
  /** `merge`, `replace` or nothing; `retainKeys` only allows a directive and is not a strategy of its own. */
  readonly strategy: string;
  /** Empty for lists of scalars. */
  readonly mergeKey: string;
}

/** Looks up a member of an object that the schema describes. */
export function fieldStrategy(schema: SchemaNode | undefined, key: string): FieldStrategy {
  const node = schema === undefined ? undefined : (propertyOf(schema, key) ?? additionalOf(schema));
  const declared = node?.["x-kubernetes-patch-strategy"] ?? "";
  return {
    node,
    items: node?.items,
    strategy: declared.split(",").find((name) => name !== "retainKeys") ?? "",
    mergeKey: node?.["x-kubernetes-patch-merge-key"] ?? "",
  };
}
