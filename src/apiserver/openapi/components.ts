import { isJsonObject, type Json, type JsonObject, setMember } from "#base/json.ts";
import type { PublishedSchemas } from "#schema/published-schema.ts";
import { renderCustomSchemas } from "./custom-schema.ts";
import type { OpenApiRequest } from "./open-api-request.ts";
import { reference, type SchemaNames } from "./schema-names.ts";

/** What the operations refer to, whatever the kind. */
const metaSchemas = ["DeleteOptions", "Status", "WatchEvent", "Patch", "APIResourceList", "ObjectMeta", "ListMeta"];

/** Every schema that the document's operations reach, sorted by name. */
export function collectComponents(request: OpenApiRequest, names: SchemaNames): JsonObject {
  const found = new Map<string, Json>();
  const reach = publishedReach(request.publishedSchemas, found);
  for (const name of metaSchemas) reach(names.meta(name));
  for (const resource of request.resources) {
    const list = { ...resource, kind: resource.listKind };
    const published = names.published(resource);
    if (published === undefined) {
      for (const [name, schema] of renderCustomSchemas(resource, names)) found.set(name, schema);
    } else {
      reach(published);
      const publishedList = names.published(list);
      if (publishedList !== undefined) reach(publishedList);
    }
    if (resource.subresources.scale !== undefined)
      reach(names.of({ group: "autoscaling", version: "v1", kind: "Scale" }));
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function publishedReach(published: PublishedSchemas, found: Map<string, Json>): (name: string) => void {
  const reach = (name: string): void => {
    if (found.has(name)) return;
    const schema = published[name];
    if (schema === undefined) throw new Error(`cannot render OpenAPI: schema "${name}" is not published`);
    const references: string[] = [];
    found.set(name, expandReferences(schema, references));
    for (const target of references) reach(target);
  };
  return reach;
}

/** Writes `$ref` in full and collects the targets. A property that is itself called `$ref` holds an object, not a name. */
function expandReferences(value: Json, references: string[]): Json {
  if (Array.isArray(value)) return value.map((item) => expandReferences(item, references));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, child] of Object.entries(value)) {
    if (key === "$ref" && typeof child === "string") {
      references.push(child);
      copy[key] = reference(child).$ref;
    } else {
      setMember(copy, key, expandReferences(child, references));
    }
  }
  return copy;
}
