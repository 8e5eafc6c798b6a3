import { type FieldError, required } from "#base/field-error.ts";
import { type RawSchema, rawProperties, schemaAt, schemasAt } from "./raw-schema.ts";

/** Fields that the root's allOf, anyOf, oneOf or not speak of although the structure does not declare them. */
export function findIncomplete(schema: RawSchema, path: string): FieldError[] {
  return clauses(schema, path).flatMap(([clause, place]) => nested(clause, place, { schema, path }));
}

interface Declared {
  readonly schema: RawSchema | undefined;
  readonly path: string;
}

function nested(clause: RawSchema, place: string, declared: Declared): FieldError[] {
  const structure = declared.schema;
  if (structure === undefined) return [required(declared.path, `because it is defined in ${place}`)];
  const errors = clauses(clause, place).flatMap(([inner, innerPlace]) => nested(inner, innerPlace, declared));
  const items = schemaAt(clause, "items");
  if (items !== undefined) {
    const below = { schema: schemaAt(structure, "items"), path: `${declared.path}.items` };
    errors.push(...nested(items, `${place}.items`, below));
  }
  const fields = new Map(rawProperties(structure));
  for (const [name, child] of rawProperties(clause)) {
    const below = { schema: fields.get(name), path: `${declared.path}.properties[${name}]` };
    errors.push(...nested(child, `${place}.properties[${name}]`, below));
  }
  return errors;
}

function clauses(schema: RawSchema, path: string): [clause: RawSchema, place: string][] {
  const not = schemaAt(schema, "not");
  const listed = ["allOf", "anyOf", "oneOf"].flatMap((keyword) =>
    schemasAt(schema, keyword).map((clause, index): [RawSchema, string] => [clause, `${path}.${keyword}[${index}]`]),
  );
  return not === undefined ? listed : [[not, `${path}.not`], ...listed];
}
