import { WorkloadRebalancers } from "./apps/workload-rebalancer.ts";
import { Clusters } from "./cluster/cluster.ts";
import { ResourceInterpreterCustomizations } from "./config/resource-interpreter-customization.ts";
import type { Kind } from "./kind.ts";
import { ClusterTaintPolicies } from "./policy/cluster-taint-policy.ts";
import { OverridePolicies } from "./policy/override-policy.ts";
import { PropagationPolicies } from "./policy/propagation-policy.ts";
import { ResourceBindings } from "./work/resource-binding.ts";
import { Works } from "./work/work.ts";

/** Every kind of our own that a control plane serves, in the order of the reference page. */
export const ourKinds: readonly Kind[] = [
  PropagationPolicies.namespaced,
  PropagationPolicies.cluster,
  OverridePolicies.namespaced,
  OverridePolicies.cluster,
  ResourceBindings.namespaced,
  ResourceBindings.cluster,
  Works,
  Clusters,
  ClusterTaintPolicies,
  WorkloadRebalancers,
  ResourceInterpreterCustomizations,
];
