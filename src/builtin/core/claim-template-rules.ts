import { labelErrors } from "#api/meta/label-selector.ts";
import { annotationErrors } from "#api/meta/metadata-rules.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden } from "#base/field-error.ts";
import { claimSpecErrors } from "./persistent-volume-claim.ts";

/** What is wrong with the claim that a pod brings along for a volume: all of its metadata but labels and annotations is made. */
export function claimTemplateErrors({ metadata = {}, spec = {} }: Fields, path: string): FieldError[] {
  const at = `${path}.metadata`;
  const others = Object.keys(metadata).filter((field) => field !== "labels" && field !== "annotations");
  return [
    ...annotationErrors(metadata.annotations, `${at}.annotations`),
    ...labelErrors(metadata.labels, `${at}.labels`),
    ...others.filter((field) => metadata[field] != null).map((field) => forbidden(`${at}.${field}`, "cannot be set")),
    ...claimSpecErrors(spec, `${path}.spec`),
  ];
}
