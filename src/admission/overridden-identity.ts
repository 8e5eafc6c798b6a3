import { isSystemKey } from "#api/meta/system-keys.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { type FieldError, forbidden } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { decodeKey } from "#base/patch/json-pointer.ts";
import { guardedMetadata } from "#overrides/identity-guard.ts";

/**
 * Which changes would touch what an object is, as far as it shows before there is an object (ruling 21). What does not show is
 * refused when a manifest is rendered.
 */
export function overriddenIdentityErrors(overriders: Overriders, path: string): FieldError[] {
  const { plaintext = [], imageOverrider = [], fieldOverrider = [] } = overriders;
  return [
    ...plaintext.flatMap(({ path: pointer, operator, value }, i) => {
      const place = `${path}.plaintext[${i}]`;
      const written = operator === "remove" ? undefined : systemKeyIn(pointer, value);
      return [...refuse(changedIdentity(pointer), `${place}.path`), ...refuse(written, `${place}.value`)];
    }),
    ...imageOverrider.flatMap(({ predicate }, i) =>
      refuse(identityAt(predicate?.path ?? ""), `${path}.imageOverrider[${i}].predicate.path`),
    ),
    ...fieldOverrider.flatMap(({ fieldPath }, i) =>
      refuse(identityAt(fieldPath), `${path}.fieldOverrider[${i}].fieldPath`),
    ),
    ...mapErrors(overriders, path),
  ];
}

function mapErrors({ labelsOverrider = [], annotationsOverrider = [] }: Overriders, path: string): FieldError[] {
  const lists = { labels: labelsOverrider, annotations: annotationsOverrider };
  return Object.entries(lists).flatMap(([field, list]) =>
    list.flatMap(({ value }, index) => refuse(systemKeyOf(value, field), `${path}.${field}Overrider[${index}].value`)),
  );
}

function refuse(identity: string | undefined, path: string): FieldError[] {
  return identity === undefined ? [] : [forbidden(path, `${identity} cannot be overridden`)];
}

/** What of the identity a pointer leads to or into. What is before its first slash does not count, as in JSON patches. */
function identityAt(pointer: string): string | undefined {
  const [top = "", field = "", key = ""] = pointer.split("/").slice(1).map(decodeKey);
  if (top === "apiVersion" || top === "kind") return top;
  if (top !== "metadata") return undefined;
  if (guardedMetadata.some((guarded) => guarded === field)) return `metadata.${field}`;
  const isMap = field === "labels" || field === "annotations";
  return isMap && isSystemKey(key) ? `metadata.${field}[${key}]` : undefined;
}

/** Who replaces or takes away what holds the identity, does so with the identity. */
function changedIdentity(pointer: string): string | undefined {
  const steps = pointer.split("/").slice(1);
  if (steps.length === 0) return "the whole object";
  return steps.length === 1 && steps[0] === "metadata" ? "metadata" : identityAt(pointer);
}

function systemKeyIn(pointer: string, value: unknown): string | undefined {
  const [top, field = "", ...rest] = pointer.split("/").slice(1).map(decodeKey);
  const isMap = top === "metadata" && (field === "labels" || field === "annotations") && rest.length === 0;
  return isMap ? systemKeyOf(value, field) : undefined;
}

function systemKeyOf(map: unknown, field: string): string | undefined {
  const key = isJsonObject(map) ? Object.keys(map).find(isSystemKey) : undefined;
  return key === undefined ? undefined : `metadata.${field}[${key}]`;
}
