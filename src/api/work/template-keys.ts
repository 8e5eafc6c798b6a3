/** Label on a template: something else handles it, policies leave it alone. */
export const claimedByLabel = "resourcetemplate.karmada.io/claimed-by";
/** Label on a template, `true`: a Deployment's replicas are kept as the member has them. */
export const retainReplicasLabel = "resourcetemplate.karmada.io/retain-replicas";
/** Label on any object, `Always`: it cannot be deleted. */
export const deletionProtectedLabel = "resourcetemplate.karmada.io/deletion-protected";
/** Label on a Namespace, `true`: it is not synced to members by itself. Not a key of the system: a user's edit of it counts. */
export const skipAutoPropagationLabel = "namespace.karmada.io/skip-auto-propagation";

/** Annotations on a manifest: the template that it was rendered from. */
export const templateUidAnnotation = "resourcetemplate.karmada.io/uid";
export const templateGenerationAnnotation = "resourcetemplate.karmada.io/generation";
/** Annotations on a manifest: which keys we own there, comma-joined and sorted. */
export const managedAnnotationsAnnotation = "resourcetemplate.karmada.io/managed-annotations";
export const managedLabelsAnnotation = "resourcetemplate.karmada.io/managed-labels";

/** Annotation on a copy in a member: a hash of the manifest that it was made from, so that what the manifest no longer says is noticed. */
export const manifestHashAnnotation = "work.karmada.io/manifest-hash";
/** Annotation on a copy in a member: the id of the control plane that sent it, which others leave alone. */
export const controlPlaneAnnotation = "work.karmada.io/control-plane";

/** Annotation on a template: somebody asked, at that time, that what is pending take effect. A change of it counts as an edit. */
export const reconcileRequestAnnotation = "policy.karmada.io/reconcile-requested-at";
/**
 * Annotation on a template: the clusters, comma-separated, that follow it. While it is there, works in all others stay as they are,
 * neither changed nor made nor removed: how a change is released cluster by cluster. It does not travel to members.
 */
export const releasedClustersAnnotation = "policy.karmada.io/reconcile-released-on";
