import { isJsonObject } from "#base/json.ts";
import { knowsFormat } from "#schema/string-formats.ts";

/** Formats in the schemas of a definition by which nothing is judged, each once. */
export function unknownFormats(spec: unknown): readonly string[] {
  const versions: unknown = isJsonObject(spec) ? spec["versions"] : undefined;
  const found = new Set<string>();
  for (const version of Array.isArray(versions) ? versions : []) gather(version?.schema?.openAPIV3Schema, found);
  return [...found];
}

/** Keywords under which there are schemas: by name, in a list, or one. */
const named: readonly string[] = ["properties", "patternProperties", "definitions", "dependencies"];
const listed: readonly string[] = ["allOf", "anyOf", "oneOf", "items"];
const single: readonly string[] = ["items", "not", "additionalProperties", "additionalItems"];

function gather(schema: unknown, found: Set<string>): void {
  if (!isJsonObject(schema)) return;
  const { format, type } = schema;
  if (typeof format === "string" && format !== "" && !isKnown(format, type)) found.add(format);
  for (const keyword of single) gather(schema[keyword], found);
  for (const keyword of listed) for (const child of listAt(schema[keyword])) gather(child, found);
  for (const keyword of named) {
    const children = schema[keyword];
    if (isJsonObject(children)) for (const child of Object.values(children)) gather(child, found);
  }
}

function listAt(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isKnown(format: string, type: unknown): boolean {
  switch (type ?? "") {
    case "":
    case "string":
      return knowsFormat(format);
    case "integer":
      return format === "int32" || format === "int64";
    case "number":
      return format === "float" || format === "double";
    default:
      return false;
  }
}
