import type { Cluster } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import { clusterFinalizer } from "#api/cluster/finalizers.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import { notReadyTaint, unreachableTaint } from "#api/cluster/taint-keys.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";

type Taint = NonNullable<Cluster["spec"]["taints"]>[number];

export interface ClusterFacts {
  readonly cluster: Cluster;
  /** Whether the execution namespace is there; `terminating` while it is being emptied. */
  readonly executionNamespace: "absent" | "active" | "terminating";
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
export function decideCluster({ cluster, executionNamespace, now }: ClusterFacts): Plan<ClusterStep> {
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
  const taints = wantedTaints(cluster, now);
  return {
    steps: [
      ...(executionNamespace === "absent" ? [{ do: "createExecutionNamespace", name } as const] : []),
      ...(jsonEquals(taints, cluster.spec.taints ?? []) ? [] : [{ do: "setTaints", taints } as const]),
    ],
  };
}

/** Health taints with effect NoSchedule; the users' own stay as they are. A cluster that never reported has none. */
function wantedTaints({ spec, status }: Cluster, now: string): readonly Taint[] {
  const taints = spec.taints ?? [];
  const ready = status?.conditions?.find(({ type }) => type === readyCondition.type)?.status;
  const key = ready === "False" ? notReadyTaint : ready === "Unknown" ? unreachableTaint : undefined;
  const others = taints.filter(
    (taint) => taint.effect !== "NoSchedule" || (taint.key !== notReadyTaint && taint.key !== unreachableTaint),
  );
  if (key === undefined) return others;
  const present = taints.find((taint) => taint.key === key && taint.effect === "NoSchedule");
  return [...others, present ?? ({ key, effect: "NoSchedule", timeAdded: now } as Taint)]; // a taint needs no value
}
