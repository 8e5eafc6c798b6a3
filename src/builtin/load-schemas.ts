import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublishedSchemas } from "#schema/published-schema.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import type { GoStructs } from "./go-form.ts";
import { type GoNames, linkSchemas } from "./link-schemas.ts";
import { type MessageFile, MessageTable } from "./protobuf/message-table.ts";

/** One built-in resource as discovery shows it. */
export interface BuiltinResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** The name of its schema. */
  readonly schema: string;
  readonly subresources: readonly BuiltinSubresource[];
}

export interface BuiltinSubresource {
  /** `scale`, `status`, `token`, … */
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

export interface BuiltinCatalog {
  /** Group versions in the order of discovery, resources in the order within them. */
  readonly resources: readonly BuiltinResource[];
  /** For OpenAPI documents. */
  readonly publishedSchemas: PublishedSchemas;
  /** The same schemas with references resolved, by name; shared and cyclic. */
  readonly nodes: ReadonlyMap<string, SchemaNode>;
}

/** How Go sees the built-in kinds: structs as they are printed, and names that decoding errors mention. */
export interface GoStructsFile extends GoStructs, GoNames {}

/** Reads the generated description of the built-in kinds from its folder. */
export function loadBuiltinCatalog(directory: string): BuiltinCatalog {
  // Our own generated files: their shape is fixed by tools/generate-kubernetes-data.mjs and checked by the tests beside.
  const resources = readJson(directory, "resources.json") as readonly BuiltinResource[];
  const publishedSchemas = readJson(directory, "schemas.json") as PublishedSchemas;
  return { resources, publishedSchemas, nodes: linkSchemas(publishedSchemas, loadGoStructs(directory)) };
}

/** Reads the field numbers of the built-in kinds from the same folder. */
export function loadMessageTable(directory: string): MessageTable {
  return new MessageTable(readJson(directory, "protobuf.json") as MessageFile);
}

/** Reads how Go sees the built-in kinds, from the same folder. */
export function loadGoStructs(directory: string): GoStructsFile {
  return readJson(directory, "go-structs.json") as GoStructsFile; // our own generated file, as above
}

function readJson(directory: string, file: string): unknown {
  return JSON.parse(readFileSync(join(directory, file), "utf8"));
}
