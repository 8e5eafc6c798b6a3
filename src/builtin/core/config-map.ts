import type { Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, forbidden, invalid, tooLong } from "#base/field-error.ts";
import { configKeyErrors, sameValue, textErrors } from "../value-rules.ts";
import { decodedLength } from "./base64.ts";

/** All the values of a ConfigMap or Secret together. */
export const maxConfigBytes = 1024 * 1024;

/** ConfigMaps. */
export const configMapStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  validate: (object: Fields) => {
    const data: Readonly<Record<string, string>> = object.data ?? {};
    const binary: Readonly<Record<string, string>> = object.binaryData ?? {};
    const errors = [
      ...Object.keys(data).flatMap((key) => [
        ...textErrors(`data[${key}]`, key, configKeyErrors),
        ...(Object.hasOwn(binary, key) ? [invalid(`data[${key}]`, key, "duplicate of key present in binaryData")] : []),
      ]),
      ...Object.keys(binary).flatMap((key) => textErrors(`binaryData[${key}]`, key, configKeyErrors)),
    ];
    const bytes = sum(Object.values(data).map(byteLength)) + sum(Object.values(binary).map(decodedLength));
    return bytes > maxConfigBytes ? [...errors, tooLong("", maxConfigBytes)] : errors;
  },
  validateUpdate: (object: Fields, old: Fields) => frozenErrors(object, old, ["data", "binaryData"]),
};

/** What an object that was declared immutable may not change. */
export function frozenErrors(object: Fields, old: Fields, fields: readonly string[]): FieldError[] {
  if (old.immutable !== true) return [];
  const changed = fields.filter((field) => !sameValue(object[field] ?? {}, old[field] ?? {}));
  return [...(object.immutable === true ? [] : ["immutable"]), ...changed].map((field) =>
    forbidden(field, "field is immutable when `immutable` is set"),
  );
}

/** The sum of some sizes. */
export function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
