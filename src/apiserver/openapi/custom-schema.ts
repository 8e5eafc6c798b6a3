import type { ResourceType } from "#api/meta/resource-type.ts";
import { cloneJson, type Json, type JsonObject } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { reference, type SchemaNames } from "./schema-names.ts";

const conventions = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

/** What a CRD's schema need not declare but every object has. */
const typeFields = {
  apiVersion: {
    description: `The version of the schema this object is written in. Servers convert it to the latest one they know and may reject versions they do not. More info: ${conventions}#resources`,
    type: "string",
  },
  kind: {
    description: `The REST resource this object stands for, in CamelCase. It cannot be changed; servers may infer it from the endpoint. More info: ${conventions}#types-kinds`,
    type: "string",
  },
};

/** The component schemas of a kind that brings its own schema: the object's and its list's, by name. */
export function renderCustomSchemas(
  resource: ResourceType,
  names: SchemaNames,
): readonly (readonly [string, JsonObject])[] {
  const name = names.of(resource);
  const list = { group: resource.group, version: resource.version, kind: resource.listKind };
  return [
    [name, objectSchema(resource, names)],
    [names.of(list), listSchema(resource, { items: name, metadata: names.meta("ListMeta") })],
  ];
}

function objectSchema(resource: ResourceType, names: SchemaNames): JsonObject {
  const { properties, ...rest } = resource.schema;
  return {
    ...asJson(rest),
    type: "object",
    properties: {
      ...typeFields,
      ...asJson(properties ?? {}),
      metadata: {
        description: `Standard object's metadata. More info: ${conventions}#metadata`,
        allOf: [reference(names.meta("ObjectMeta"))],
      },
    },
    "x-kubernetes-group-version-kind": [mark(resource, resource.kind)],
  };
}

function listSchema(resource: ResourceType, names: { readonly items: string; readonly metadata: string }): JsonObject {
  return {
    description: `${resource.listKind} is a list of ${resource.kind}`,
    type: "object",
    required: ["items"],
    properties: {
      ...typeFields,
      items: {
        description: `List of ${resource.plural}. More info: ${conventions}`,
        type: "array",
        items: reference(names.items),
      },
      metadata: {
        description: `Standard list metadata. More info: ${conventions}#types-kinds`,
        allOf: [reference(names.metadata)],
      },
    },
    "x-kubernetes-group-version-kind": [mark(resource, resource.listKind)],
  };
}

function mark({ group, version }: ResourceType, kind: string): JsonObject {
  return { group, version, kind };
}

/** A custom schema is a tree of plain JSON: what was published as a CRD is published here as it is, without what its nodes do not say. */
function asJson(schema: Omit<SchemaNode, "properties"> | Readonly<Record<string, SchemaNode>>): Record<string, Json> {
  return cloneJson(schema) as Record<string, Json>;
}
