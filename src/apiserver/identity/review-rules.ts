import type { Draft, Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid } from "#base/field-error.ts";

/** What differs between the three reviews of access. */
export interface ReviewTraits {
  /** It names whom it asks about. */
  readonly namesSubject: boolean;
  /** The namespace that it asks about. */
  readonly within?: string;
}

/** What is wrong with a question about access; nothing of it is kept, and so it has no metadata. */
export function accessReviewErrors({ metadata, spec }: Draft, { namesSubject, within }: ReviewTraits): FieldError[] {
  const { resourceAttributes, nonResourceAttributes, user = "", groups } = (spec ?? {}) as Fields; // decoded as such
  const errors: FieldError[] = [];
  const path = "spec.nonResourceAttributes";
  if (resourceAttributes != null && nonResourceAttributes != null)
    errors.push(invalid(path, nonResourceAttributes, "cannot be specified in combination with resourceAttributes"));
  if (resourceAttributes == null && nonResourceAttributes == null) {
    const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    errors.push(invalid("spec.resourceAttributes", null, detail));
  }
  if (namesSubject && user === "" && (groups ?? []).length === 0)
    errors.push(invalid("spec.user", user, "at least one of user or group must be specified"));
  errors.push(...metadataErrors(metadata, within));
  if (within === undefined) return errors;
  const asked: string = resourceAttributes?.namespace ?? "";
  if (resourceAttributes != null && asked !== within)
    errors.push(invalid("spec.resourceAttributes.namespace", asked, "must match metadata.namespace"));
  if (nonResourceAttributes != null)
    errors.push(invalid(path, nonResourceAttributes, "disallowed on this kind of request"));
  return errors;
}

function metadataErrors(metadata: Draft["metadata"], within: string | undefined): FieldError[] {
  const kept = within === undefined ? ["managedFields"] : ["managedFields", "namespace"];
  const isSaid = ([name, value]: [string, unknown]) =>
    !kept.includes(name) &&
    value != null &&
    value !== "" &&
    !(typeof value === "object" && Object.keys(value).length === 0);
  if (!Object.entries(metadata).some(isSaid)) return [];
  return [invalid("metadata", metadata, within === undefined ? "must be empty" : "must be empty except for namespace")];
}
