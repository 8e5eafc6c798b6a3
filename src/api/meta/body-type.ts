import type { SchemaNode } from "#schema/schema-node.ts";
import type { ResourceId } from "./resource-id.ts";
import type { ResourceType } from "./resource-type.ts";

/** The type of what is sent and never kept: a question, or the body of a subresource. */
export function bodyType(
  { group, version, kind, resource, namespaced }: ResourceId,
  { schema, custom }: { readonly schema: SchemaNode; readonly custom: boolean },
): ResourceType {
  return {
    ...{ group, version, kind, namespaced, schema, custom, plural: resource },
    listKind: `${kind}List`,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: ["create"],
    subresources: {},
    strategy: { generation: "none", unconditionalUpdate: true },
    table: { columns: [], cells: () => [] },
  };
}
