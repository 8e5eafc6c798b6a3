import type { Cluster } from "#api/cluster/cluster.ts";
import { clusterOfExecutionNamespace, executionNamespaceOf } from "#api/cluster/namespaces.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Work } from "#api/work/work.ts";
import type { Plan } from "#base/plan.ts";
import type { Client } from "#client/client.ts";
import { onceSynced } from "#runtime/all-synced.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { isHeld, releaseWork } from "./release-work.ts";

/** Whether a cluster can be talked to; `tried` while that is being found out. */
export type Reach = "reached" | "tried" | "failed";

/** What is known of whether clusters can be talked to. */
export interface ClusterReach {
  readonly of: (cluster: string) => Reach;
  /** Clusters that could be talked to until now, by their names. */
  readonly watchLosses: Watch;
}

export interface UnreachedWorksNeeds {
  readonly client: Client;
  readonly clusters: Informer<ApiObject>;
  /** Of all clusters, indexed by `namespace`. */
  readonly works: Informer<ApiObject>;
  readonly reach: ClusterReach;
}

export interface UnreachedFacts {
  readonly cluster: Cluster | undefined;
  readonly reach: Reach;
  /** Those that leave and are held by nothing but us. */
  readonly works: readonly Work[];
}

export interface ReleaseStep {
  readonly do: "releaseWork";
  readonly work: Work;
}

/** How long until it is asked again whether a cluster can be talked to. */
const againMs = 1_000;

/**
 * Lets go of the works of a cluster that leaves and cannot be talked to, so that it can leave: who would do that otherwise is there for
 * clusters that can. What is in the cluster stays there.
 */
export function unreachedWorksController(needs: UnreachedWorksNeeds): Controller<UnreachedFacts, ReleaseStep> {
  const { client, clusters, works, reach } = needs;
  return {
    name: "unreached",
    watches: [
      watchInformer(clusters, ({ before, after }) => {
        const isNews = before?.metadata.deletionTimestamp !== after?.metadata.deletionTimestamp;
        if (after === undefined) return [before.metadata.name];
        return isNews ? [after.metadata.name] : [];
      }),
      watchInformer(works, ({ after }) => {
        if (after === undefined || !isHeld(after as unknown as Work)) return []; // the informer's kind
        const cluster = clusterOfExecutionNamespace(after.metadata.namespace ?? "");
        return cluster === undefined || reach.of(cluster) === "reached" ? [] : [cluster];
      }),
      reach.watchLosses,
    ],

    gather: (name) =>
      onceSynced([clusters, works], () => {
        const all = works.byIndex("namespace", executionNamespaceOf(name)) as unknown as readonly Work[]; // the informer's kind
        const held = all.filter(isHeld);
        if (held.length === 0) return undefined;
        const cluster = clusters.get({ name }) as unknown as Cluster | undefined; // as above
        return { cluster, reach: reach.of(name), works: held };
      }),

    decide: decideRelease,

    apply: ({ work }) => releaseWork(client, work),
  };
}

/** A cluster with an agent has its works let go by that. */
export function decideRelease({ cluster, reach, works }: UnreachedFacts): Plan<ReleaseStep> {
  const isOurs = cluster === undefined || (isLeaving(cluster) && cluster.spec.syncMode !== "Pull");
  if (!isOurs || reach === "reached") return { steps: [] };
  if (reach === "tried" && cluster !== undefined)
    return { steps: [], waitFor: { reason: "the cluster may be reached yet", retryAfterMs: againMs } };
  return { steps: works.map((work) => ({ do: "releaseWork", work })) };
}

function isLeaving({ metadata }: Cluster): boolean {
  return metadata.deletionTimestamp !== undefined;
}
