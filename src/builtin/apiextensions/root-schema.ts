import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { goSchema } from "#schema/go-schema.ts";

/** What the root of a schema may say where the status is judged by itself: what it says of the status would be lost. */
const allowed = [
  ...["Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum"],
  ...["MaxLength", "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items"],
  ...["Properties", "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations"],
];

/** What is wrong with the root of a schema beside a status subresource. */
export function rootSchemaErrors(schema: Fields | undefined, path: string): FieldError[] {
  if (!isJsonObject(schema)) return [];
  const printed = goSchema(schema);
  for (const [name, value] of Object.entries(printed)) {
    if (value === null || value === "" || value === false) continue;
    if (name === "Type" && value !== "object") {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalid(`${path}.type`, value, detail)];
    }
    if (allowed.includes(name)) continue;
    const detail = `only [${allowed.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalid(path, printed, detail)];
  }
  return [];
}
