import { annotationErrors } from "#api/meta/metadata-rules.ts";
import { labelValueErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";

type FieldOverrider = NonNullable<Overriders["fieldOverrider"]>[number];
type FieldPatch = NonNullable<FieldOverrider["json"]>[number];

/** What is wrong with the changes of one rule, whatever they are applied to. */
export function overriderErrors(overriders: Overriders, path: string): FieldError[] {
  const { annotationsOverrider = [], labelsOverrider = [], imageOverrider = [], fieldOverrider = [] } = overriders;
  return [
    ...annotationsOverrider.flatMap(({ value }, i) =>
      annotationErrors(value, `${path}.annotationsOverrider[${i}].value`),
    ),
    ...labelsOverrider.flatMap(({ value }, i) => labelErrors(value, `${path}.labelsOverrider[${i}].value`)),
    ...imageOverrider.flatMap(({ predicate }, i) =>
      predicate === undefined ? [] : pointerErrors(predicate.path, `${path}.imageOverrider[${i}].predicate.path`),
    ),
    ...fieldOverrider.flatMap((overrider, i) => fieldOverriderErrors(overrider, `${path}.fieldOverrider[${i}]`)),
  ];
}

function labelErrors(labels: Readonly<Record<string, string>>, path: string): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((detail) => invalid(path, key, detail)),
    ...labelValueErrors(value).map((detail) => invalid(path, value, detail)),
  ]);
}

function fieldOverriderErrors(overrider: FieldOverrider, path: string): FieldError[] {
  const { fieldPath, json = [], yaml = [] } = overrider;
  const errors: FieldError[] = [];
  if (json.length > 0 && yaml.length > 0) {
    errors.push(invalid(path, overrider, "FieldOverrider has both YAML and JSON set. Only one is allowed"));
  }
  if (json.length === 0 && yaml.length === 0) {
    errors.push(required(path, "FieldOverrider must have either JSON or YAML set"));
  }
  return [
    ...errors,
    ...pointerErrors(fieldPath, `${path}.fieldPath`),
    ...json.flatMap((patch, index) => patchErrors(patch, `${path}.json[${index}]`)),
    ...yaml.flatMap((patch, index) => patchErrors(patch, `${path}.yaml[${index}]`)),
  ];
}

function patchErrors({ subPath, operator, value }: FieldPatch, path: string): FieldError[] {
  const absent = value === undefined || value === null;
  const errors = pointerErrors(subPath, `${path}.subPath`);
  if (operator !== "remove" && absent) {
    errors.push(invalid(`${path}.value`, null, "value is required for add or replace operation"));
  }
  if (operator === "remove" && !absent) {
    errors.push(invalid(`${path}.value`, value, "value is not allowed for remove operation"));
  }
  return errors;
}

function pointerErrors(pointer: string, path: string): FieldError[] {
  if (pointer === "" || pointer.startsWith("/")) return [];
  return [invalid(path, pointer, 'JSON pointer must be empty or start with a "/"\nJSON pointer error')];
}
