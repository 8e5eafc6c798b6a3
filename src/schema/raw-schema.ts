import { isJsonObject } from "#base/json.ts";

/** A schema as a user wrote it: nothing is known of it yet. */
export type RawSchema = Readonly<Record<string, unknown>>;

/** A keyword that holds one schema. */
export function schemaAt(schema: RawSchema, keyword: string): RawSchema | undefined {
  const value = schema[keyword];
  return isJsonObject(value) ? value : undefined;
}

/** A keyword that holds a list of schemas: allOf, anyOf, oneOf. */
export function schemasAt(schema: RawSchema, keyword: string): readonly RawSchema[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The declared properties, by name. */
export function rawProperties(schema: RawSchema): readonly (readonly [name: string, schema: RawSchema])[] {
  const value = schema["properties"];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => (isJsonObject(child) ? [[name, child] as const] : []));
}

/** A keyword that holds a string; empty when it is absent. */
export function textAt(schema: RawSchema, keyword: string): string {
  const value = schema[keyword];
  return typeof value === "string" ? value : "";
}

/** A keyword that holds a list of strings. */
export function textsAt(schema: RawSchema, keyword: string): readonly string[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Whether a keyword is there and says something. */
export function says(schema: RawSchema, keyword: string): boolean {
  const value = schema[keyword];
  if (value === undefined || value === null || value === false || value === "") return false;
  return !(Array.isArray(value) && value.length === 0) && !(isJsonObject(value) && Object.keys(value).length === 0);
}
