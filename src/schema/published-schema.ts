import type { JsonObject } from "#base/json.ts";

/** A component schema as an OpenAPI v3 document shows it, but with the bare name of its target in every `$ref`. */
export type PublishedSchema = JsonObject;

/** Published schemas by name (`io.k8s.api.apps.v1.Deployment`). */
export type PublishedSchemas = Readonly<Record<string, PublishedSchema>>;
