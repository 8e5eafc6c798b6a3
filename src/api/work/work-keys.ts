/** Label on a work and its manifest: the work's permanent id. */
export const workIdLabel = "work.karmada.io/permanent-id";

/** Annotations on a manifest: the work that it came with. */
export const workNamespaceAnnotation = "work.karmada.io/namespace";
export const workNameAnnotation = "work.karmada.io/name";
/** Annotation on a work and its manifest: `overwrite` or `abort`. */
export const conflictResolutionAnnotation = "work.karmada.io/conflict-resolution";

/** Label on a manifest and hence on the member's object: it is ours to change and delete. */
export const managedLabel = "karmada.io/managed";
/** Label on what the system itself needs, such as execution namespaces. */
export const systemLabel = "karmada.io/system";
