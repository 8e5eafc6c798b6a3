import { type FieldError, invalid, required } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { withSortedMembers } from "#base/sorted-json.ts";
import { findTypeError } from "#schema/decode-types.ts";
import type { ResourceRules } from "#schema/embedded-resources.ts";
import { pruneUnknown } from "#schema/prune-fields.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { labelErrors } from "./label-selector.ts";
import { annotationErrors, finalizerErrors, ownerErrors } from "./metadata-rules.ts";
import { dns1035LabelErrors, dnsLabelErrors, nameErrors, namePrefixErrors } from "./names.ts";
import type { Fields } from "./object-meta.ts";

/** What Kubernetes knows of apiVersion, kind and metadata of objects inside others, given the schema of metadata. */
export function embeddedResourceRules(objectMeta: SchemaNode): ResourceRules {
  return {
    typeError: (object, path) => typeError(object, path, objectMeta),
    prune: ({ metadata }) => {
      if (isJsonObject(metadata)) pruneUnknown(metadata, objectMeta, { onUnknown: "drop", root: "value" });
    },
    errors: resourceErrors,
  };
}

function typeError(object: Fields, path: string, objectMeta: SchemaNode): FieldError | undefined {
  for (const [field, value] of Object.entries(object)) {
    if ((field === "apiVersion" || field === "kind") && typeof value !== "string") {
      return invalid(under(path, field), withSortedMembers(value), "must be a string");
    }
    if (field !== "metadata") continue;
    const problem = value === null ? undefined : findTypeError(value, objectMeta, "v1.ObjectMeta");
    if (problem !== undefined) return invalid(under(path, field), withSortedMembers(value), problem);
  }
  return undefined;
}

function resourceErrors(object: Fields, path: string): FieldError[] {
  const errors = ["apiVersion", "kind"]
    .filter((field) => !Object.hasOwn(object, field))
    .map((field) => required(under(path, field)));
  for (const [field, value] of Object.entries(object)) {
    const at = under(path, field);
    if (field === "apiVersion") errors.push(...apiVersionErrors(value, at));
    else if (field === "kind") errors.push(...kindErrors(value, at));
    else if (field === "metadata" && isJsonObject(value)) errors.push(...metadataErrors(value, at));
  }
  return errors;
}

function under(path: string, field: string): string {
  return path === "" ? field : `${path}.${field}`;
}

function apiVersionErrors(value: unknown, path: string): FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  return value.split("/").length > 2 ? [invalid(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindErrors(value: unknown, path: string): FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  const problems = dns1035LabelErrors(value.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return problems.length === 0 ? [] : [invalid(path, value, detail)];
}

function metadataErrors(metadata: Fields, path: string): FieldError[] {
  const { name, generateName, namespace, generation } = metadata;
  const rule = "path-segment";
  const each = (field: string, messages: readonly string[]) =>
    messages.map((message) => invalid(`${path}.${field}`, metadata[field], message));
  return [
    ...(generateName ? each("generateName", namePrefixErrors(generateName, rule)) : []),
    ...(name ? each("name", nameErrors(name, rule)) : []),
    ...(namespace ? each("namespace", dnsLabelErrors(namespace)) : []),
    ...(Number(generation ?? 0) < 0 ? each("generation", ["must be greater than or equal to 0"]) : []),
    ...labelErrors(metadata["labels"], `${path}.labels`),
    ...annotationErrors(metadata["annotations"], `${path}.annotations`),
    ...ownerErrors(metadata["ownerReferences"], `${path}.ownerReferences`),
    ...finalizerErrors(metadata["finalizers"], `${path}.finalizers`),
  ];
}
