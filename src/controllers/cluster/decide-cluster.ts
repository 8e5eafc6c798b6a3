import type { Cluster } from "#api/cluster/cluster.ts";
import { clusterFinalizer } from "#api/cluster/finalizers.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import { notReadyTaint, unreachableTaint } from "#api/cluster/taint-keys.ts";
import type { ClusterTaintPolicy } from "#api/policy/cluster-taint-policy.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import { healthTaintKey } from "#scheduling/health-taint.ts";
import { policyTaints } from "./policy-taints.ts";

type Taint = NonNullable<Cluster["spec"]["taints"]>[number];

export interface ClusterFacts {
  readonly cluster: Cluster;
  /** Whether the execution namespace is there; `terminating` while it is being emptied. */
  readonly executionNamespace: "absent" | "active" | "terminating";
  /** What others say of taints by the cluster's conditions. */
  readonly taintPolicies: readonly ClusterTaintPolicy[];
  readonly now: string;
}

export type ClusterStep =
  | { readonly do: "addFinalizer" }
  | { readonly do: "removeFinalizer" }
  | { readonly do: "createExecutionNamespace"; readonly name: string }
  | { readonly do: "deleteExecutionNamespace"; readonly name: string }
  | { readonly do: "setTaints"; readonly taints: readonly Taint[] };

/**
 * A joined cluster has an execution namespace and the taints that its health asks for. A cluster that leaves takes its works along:
 * its namespace is emptied first, then the cluster itself is let go.
 */
export function decideCluster(facts: ClusterFacts): Plan<ClusterStep> {
  const { cluster, executionNamespace, taintPolicies: policies, now } = facts;
  const { metadata } = cluster;
  const name = executionNamespaceOf(metadata.name);
  const held = metadata.finalizers?.includes(clusterFinalizer) ?? false;
  if (metadata.deletionTimestamp !== undefined) {
    if (executionNamespace === "active")
      return {
        steps: [{ do: "deleteExecutionNamespace", name }],
        waitFor: { reason: `namespace ${name} is being emptied` },
      };
    if (executionNamespace === "terminating")
      return { steps: [], waitFor: { reason: `namespace ${name} is being emptied` } };
    return { steps: held ? [{ do: "removeFinalizer" }] : [] };
  }
  if (!held) return { steps: [{ do: "addFinalizer" }] }; // its own event brings the key again, held by then
  const taints = policyTaints({ cluster, taints: healthTaints(cluster, now), policies, now });
  return {
    steps: [
      ...(executionNamespace === "absent" ? [{ do: "createExecutionNamespace", name } as const] : []),
      ...(jsonEquals(taints, cluster.spec.taints ?? []) ? [] : [{ do: "setTaints", taints } as const]),
    ],
  };
}

/** Health taints with effect NoSchedule; the users' own stay as they are, and all in their places. A cluster that never reported has none. */
function healthTaints({ spec, status }: Cluster, now: string): readonly Taint[] {
  const key = healthTaintKey(status);
  const kept = (spec.taints ?? []).filter((taint) => !isHealthTaint(taint) || taint.key === key);
  if (key === undefined || kept.some((taint) => isHealthTaint(taint))) return kept;
  return [...kept, { key, effect: "NoSchedule", timeAdded: now }];
}

function isHealthTaint({ key, effect }: Taint): boolean {
  return effect === "NoSchedule" && (key === notReadyTaint || key === unreachableTaint);
}
