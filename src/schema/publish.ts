import { cloneJson, type JsonObject } from "#base/json.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * A schema as the JSON of a CRD or an OpenAPI v3 document, nodes that are shared written out at each place.
 * The graph must not be cyclic: only the schemas of built-in kinds are, and those are published by reference.
 */
export function publishSchema(node: SchemaNode): JsonObject {
  // A node is JSON by its type; what is copied may be changed by whoever receives it.
  return cloneJson(node as unknown as JsonObject);
}
