import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, invalid, required, tooMany } from "#base/field-error.ts";
import { type RawSchema, rawProperties, schemaAt, textAt } from "#schema/raw-schema.ts";
import type { SharedSpec } from "./shared-parts.ts";

const maxFields = 8;
const selectableTypes = ["string", "boolean", "integer"];

/** What is wrong with the fields by which objects are to be selected: each is one plain value that the schema knows. */
export function selectableFieldErrors({ versions, whole }: SharedSpec): FieldError[] {
  return [
    ...versions.flatMap((version, index) =>
      fieldsErrors(version["selectableFields"], version["schema"]?.openAPIV3Schema, {
        path: `spec.versions[${index}].selectableFields`,
        unknown: "may only be set when `version.schema.openAPIV3Schema` is not included",
      }),
    ),
    ...fieldsErrors(whole["selectableFields"], whole["schema"]?.openAPIV3Schema, {
      path: "spec.selectableFields",
      unknown: "may only be set when validations.schema is included",
    }),
  ];
}

interface Place {
  readonly path: string;
  /** What is said where there is no schema beside them. */
  readonly unknown: string;
}

function fieldsErrors(
  fields: readonly Fields[] | undefined | null,
  schema: RawSchema | undefined | null,
  { path, unknown }: Place,
): FieldError[] {
  if (fields == null || fields.length === 0) return [];
  if (schema == null) return [invalid(path, "", unknown)];
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath = "" }, index): FieldError[] => {
    const at = `${path}[${index}].jsonPath`;
    if (jsonPath === "") return [required(at)];
    const found = resolve(jsonPath, schema);
    if (typeof found === "string") return [invalid(at, jsonPath, `is an invalid path: ${found}`)];
    const name = found.names.join(".");
    const again = seen.has(name);
    seen.add(name);
    return [...valueErrors(found, at, jsonPath), ...(again ? [duplicate(at, jsonPath)] : [])];
  });
  return seen.size > maxFields ? [...errors, tooMany(path, seen.size, maxFields)] : errors;
}

interface Resolved {
  readonly names: readonly string[];
  readonly schema: RawSchema | undefined;
}

function valueErrors({ names, schema }: Resolved, at: string, jsonPath: string): FieldError[] {
  const detail =
    "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
  return [
    ...(names[0] === "metadata" ? [invalid(at, jsonPath, "must not point to fields in metadata")] : []),
    ...(schema !== undefined && selectableTypes.includes(textAt(schema, "type"))
      ? []
      : [invalid(at, jsonPath, detail)]),
  ];
}

const invalidField = "does not refer to a valid field";

/** Follows a path through a schema; a text says why it cannot be followed. */
function resolve(jsonPath: string, root: RawSchema): Resolved | string {
  const tokens = jsonPath.match(/[.[\]]|'(?:[^'\\]|\\.)*'|[^.[\]']+|'/g) ?? [];
  const names: string[] = [];
  let schema: RawSchema | undefined = root;
  for (let at = 0; at < tokens.length; at += 2) {
    if (tokens[at] === "[") return "array notation is not allowed";
    if (tokens[at] !== ".") return `expected [ or . but got: ${tokens[at]}`;
    const name = tokens[at + 1];
    if (name === undefined) return "unexpected end of JSON path";
    if (schema === undefined) return invalidField;
    const properties: ReadonlyMap<string, RawSchema> = new Map(rawProperties(schema));
    if (properties.size > 0) {
      if (!properties.has(name)) return invalidField;
      schema = properties.get(name);
    } else if (schema["additionalProperties"] != null) schema = schemaAt(schema, "additionalProperties");
    else return invalidField;
    names.push(name);
  }
  return { names, schema };
}
