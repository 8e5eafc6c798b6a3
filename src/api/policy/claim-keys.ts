/** Label on a PropagationPolicy, the templates it claimed and their bindings: the policy's permanent id. */
export const policyIdLabel = "propagationpolicy.karmada.io/permanent-id";
/** The same for a ClusterPropagationPolicy. */
export const clusterPolicyIdLabel = "clusterpropagationpolicy.karmada.io/permanent-id";

/** Annotation and label on templates and bindings: who claimed them. A name too long for a label value is only an annotation. */
export const policyNameKey = "propagationpolicy.karmada.io/name";
export const policyNamespaceKey = "propagationpolicy.karmada.io/namespace";
export const clusterPolicyNameKey = "clusterpropagationpolicy.karmada.io/name";
