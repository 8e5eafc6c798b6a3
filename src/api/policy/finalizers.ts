/** Holds a policy until the templates that it claimed are released. */
export const propagationPolicyFinalizer = "karmada.io/propagation-policy-controller";
export const clusterPropagationPolicyFinalizer = "karmada.io/cluster-propagation-policy-controller";
