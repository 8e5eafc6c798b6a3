import { labelErrors } from "#api/meta/label-selector.ts";
import { annotationErrors, finalizerErrors, ownerErrors } from "#api/meta/metadata-rules.ts";
import { nameErrors, namePrefixErrors, pathSegmentErrors, segmentPrefixErrors } from "#api/meta/names.ts";
import type { ApiObject, Draft, DraftMeta } from "#api/meta/object-meta.ts";
import type { ResourceType, Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid, namedText, required } from "#base/field-error.ts";
import { jsonEquals } from "#base/json.ts";

/** What is wrong with the metadata of an object that is about to be stored; what was stored before was found right then. */
export function metadataErrors(
  type: ResourceType,
  { metadata }: Draft,
  old?: ApiObject["metadata"],
): readonly FieldError[] {
  const isNew = (part: "labels" | "annotations") => old === undefined || !jsonEquals(metadata[part], old[part]);
  return [
    ...nameProblems(type, metadata, old !== undefined),
    ...(metadata.generation !== undefined && metadata.generation < 0
      ? [invalid("metadata.generation", metadata.generation, "must be greater than or equal to 0")]
      : []),
    ...(isNew("labels") ? labelErrors(metadata.labels, "metadata.labels") : []),
    ...(isNew("annotations") ? annotationErrors(metadata.annotations, "metadata.annotations") : []),
    ...ownerErrors(metadata.ownerReferences, "metadata.ownerReferences"),
    ...finalizerErrors(metadata.finalizers, "metadata.finalizers"),
    ...(isKubernetesOwn(type) ? unqualifiedFinalizers(metadata.finalizers ?? []) : []),
  ];
}

/** Definitions and what they define are judged by another server of Kubernetes', which knows less; so do the rules of some groups. */
function isKubernetesOwn({ custom, group, strategy }: ResourceType): boolean {
  return !custom && !lenientGroups.has(group) && strategy.leavesMetadata !== true;
}

const lenientGroups: ReadonlySet<string> = new Set([
  "apiextensions.k8s.io",
  "admissionregistration.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
]);
const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

function unqualifiedFinalizers(finalizers: readonly string[]): readonly FieldError[] {
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  return finalizers.flatMap((name, index) =>
    name.includes("/") || standardFinalizers.includes(name)
      ? []
      : [invalid(`metadata.finalizers[${index}]`, name, detail)],
  );
}

/** What an update may not change. */
export function immutableMetadataErrors({ metadata }: Draft, old: ApiObject): readonly FieldError[] {
  const marks = (["uid", "deletionTimestamp", "deletionGracePeriodSeconds"] as const).filter(
    (field) => (metadata[field] ?? undefined) !== old.metadata[field],
  );
  return [
    ...marks.map((field) => invalid(`metadata.${field}`, namedText(metadata[field] ?? null), "field is immutable")),
    ...lateFinalizers(metadata, old),
  ];
}

function lateFinalizers(metadata: DraftMeta, old: ApiObject): readonly FieldError[] {
  const before = new Set(old.metadata.finalizers ?? []);
  const added = (metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
  if (old.metadata.deletionTimestamp === undefined || added.length === 0) return [];
  return [
    forbidden(
      "metadata.finalizers",
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((name) => JSON.stringify(name)).join(", ")}}`,
    ),
  ];
}

function nameProblems({ strategy }: ResourceType, metadata: DraftMeta, again: boolean): readonly FieldError[] {
  const { name, generateName = "" } = metadata;
  const prefix =
    generateName === ""
      ? []
      : [...new Set(prefixProblems(strategy, generateName, again))].map((message) =>
          invalid("metadata.generateName", generateName, message),
        );
  if (name === undefined || name === "")
    return [...prefix, required("metadata.name", "name or generateName is required")];
  const problems = strategy.leavesMetadata ? pathSegmentErrors(name) : nameErrors(name, strategy.nameRule);
  return [...prefix, ...problems.map((message) => invalid("metadata.name", name, message))];
}

function prefixProblems(strategy: Strategy, prefix: string, again: boolean): readonly string[] {
  const ownRule = strategy.leavesMetadata !== true && !(again && strategy.prefixJudgedOnce);
  const general = again || strategy.leavesMetadata ? segmentPrefixErrors(prefix) : [];
  return [...general, ...(ownRule ? namePrefixErrors(prefix, strategy.nameRule) : [])];
}
