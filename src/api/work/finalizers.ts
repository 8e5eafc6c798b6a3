/** Holds a binding until its works are gone. */
export const bindingFinalizer = "karmada.io/binding-controller";
export const clusterBindingFinalizer = "karmada.io/cluster-resource-binding-controller";
/** Holds a binding whose template has dependencies until the attached bindings are released. */
export const dependenciesFinalizer = "karmada.io/binding-dependencies-distributor";
/** Holds a work until its object in the member is gone. */
export const executionFinalizer = "karmada.io/execution-controller";
