import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, tooLong } from "#base/field-error.ts";
import { qualifiedNameErrors } from "./names.ts";
import type { OwnerReference } from "./object-meta.ts";

const maxAnnotationBytes = 256 * 1024;
/** What one UTF-16 unit takes at most in UTF-8. */
const maxCharacterBytes = 3;

/** What is wrong with annotations: keys are qualified names in any case, all together have a size limit. */
export function annotationErrors(
  annotations: Readonly<Record<string, string>> | undefined | null,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const entries = Object.entries(annotations ?? {});
  let characters = 0;
  for (const [key, value] of entries) {
    for (const message of qualifiedNameErrors(key.toLowerCase())) errors.push(invalid(path, key, message));
    characters += key.length + value.length;
  }
  const mayBeTooLong = maxCharacterBytes * characters > maxAnnotationBytes;
  if (
    mayBeTooLong &&
    entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0) > maxAnnotationBytes
  )
    errors.push(tooLong(path, maxAnnotationBytes));
  return errors;
}

/** What is wrong with references to owners; Kubernetes names the list and not the item. */
export function ownerErrors(owners: readonly OwnerReference[] | undefined | null, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const given of owners ?? []) {
    const owner: Partial<OwnerReference> = given ?? {}; // null is one of which nothing is said
    const parts = (owner.apiVersion ?? "").split("/");
    if (parts.length > 2 || parts.at(-1) === "") {
      errors.push(invalid(`${path}.apiVersion`, owner.apiVersion ?? "", "version must not be empty"));
    }
    for (const field of ["kind", "name", "uid"] as const) {
      if (!owner[field]) errors.push(invalid(`${path}.${field}`, "", "must not be empty"));
    }
    if (owner.apiVersion === "v1" && owner.kind === "Event") {
      errors.push(invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
    }
    if (owner.controller !== true) continue;
    const name = `${owner.kind}/${owner.name}`;
    if (controller === undefined) controller = name;
    else {
      const found = `Found "true" in references for ${controller} and ${name}`;
      errors.push(invalid(path, owners, `Only one reference can have Controller set to true. ${found}`));
    }
  }
  return errors;
}

/** What is wrong with finalizers. */
export function finalizerErrors(finalizers: readonly string[] | undefined | null, path: string): FieldError[] {
  const names = finalizers ?? [];
  const errors = names.flatMap((name) => qualifiedNameErrors(name).map((message) => invalid(path, name, message)));
  if (names.includes("orphan") && names.includes("foregroundDeletion")) {
    errors.push(invalid(path, names, "finalizer orphan and foregroundDeletion cannot be both set"));
  }
  return errors;
}
