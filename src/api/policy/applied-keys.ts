/** Annotation on a binding: the placement that was last scheduled, as JSON. */
export const appliedPlacementAnnotation = "policy.karmada.io/applied-placement";
/** Annotations on a work: which override policies shaped its manifest, as a JSON list sorted by policy name. */
export const appliedOverridesAnnotation = "policy.karmada.io/applied-overrides";
export const appliedClusterOverridesAnnotation = "policy.karmada.io/applied-cluster-overrides";
