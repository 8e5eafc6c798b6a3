import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import { clusterEvents } from "#api/cluster/event-reasons.ts";
import { clusterFinalizer } from "#api/cluster/finalizers.ts";
import { clusterOfExecutionNamespace, executionNamespaceOf } from "#api/cluster/namespaces.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { ClusterTaintPolicy } from "#api/policy/cluster-taint-policy.ts";
import { systemLabel } from "#api/work/work-keys.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Client } from "#client/client.ts";
import type { Controller } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { type ClusterFacts, type ClusterStep, decideCluster } from "./decide-cluster.ts";

export interface ClusterControllerNeeds {
  readonly client: Client;
  readonly clusters: Informer<ApiObject>;
  readonly namespaces: Informer<ApiObject>;
  readonly taintPolicies: Informer<ApiObject>;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

const clusters = resourceOf(Clusters);
const namespaces: ResourceId = {
  group: "",
  version: "v1",
  resource: "namespaces",
  kind: "Namespace",
  namespaced: false,
};

/** Keeps the execution namespace, the finalizer and the health taints of every cluster as decideCluster wants them. */
export function clusterController(needs: ClusterControllerNeeds): Controller<ClusterFacts, ClusterStep> {
  const { client, events } = needs;
  return {
    name: "cluster",

    watches: [
      watchInformer(needs.clusters, ({ after, before }) => [(after ?? before)!.metadata.name]),
      watchInformer(needs.namespaces, ({ after, before }) => {
        const cluster = clusterOfExecutionNamespace((after ?? before)!.metadata.name);
        return cluster === undefined ? [] : [cluster];
      }),
      watchInformer(needs.taintPolicies, ({ before, after }) =>
        before?.metadata.generation === after?.metadata.generation ? [] : [...needs.clusters.all()].map(nameOf),
      ),
    ],

    async gather(name) {
      await Promise.all([needs.clusters, needs.namespaces, needs.taintPolicies].map((each) => each.whenSynced()));
      const cluster = needs.clusters.get({ name }) as Cluster | undefined; // the informer's kind
      if (cluster === undefined) return undefined;
      const namespace = needs.namespaces.get({ name: executionNamespaceOf(name) });
      const state =
        namespace === undefined
          ? "absent"
          : namespace.metadata.deletionTimestamp === undefined
            ? "active"
            : "terminating";
      const taintPolicies = [...needs.taintPolicies.all()] as unknown as ClusterTaintPolicy[]; // as above
      return { cluster, executionNamespace: state, taintPolicies, now: formatTime(needs.clock.nowMs()) };
    },

    decide: decideCluster,

    async apply(step, { cluster }) {
      const { metadata } = cluster;
      const key = { name: metadata.name };
      const replaceFinalizers = (finalizers: readonly string[]) =>
        client.patch(clusters, key, {
          type: "merge",
          patch: { metadata: { finalizers, resourceVersion: metadata.resourceVersion } },
        });
      switch (step.do) {
        case "addFinalizer":
          await replaceFinalizers([...(metadata.finalizers ?? []), clusterFinalizer]);
          return;
        case "removeFinalizer":
          await replaceFinalizers((metadata.finalizers ?? []).filter((name) => name !== clusterFinalizer));
          return;
        case "createExecutionNamespace":
          await client.create(namespaces, {
            apiVersion: "v1",
            kind: "Namespace",
            metadata: { name: step.name, labels: { [systemLabel]: "true" } },
          });
          events.record(cluster, {
            type: "Normal",
            reason: clusterEvents.createExecutionSpace.succeed,
            message: `Created execution space(${step.name}) for the cluster.`,
          });
          return;
        case "deleteExecutionNamespace":
          await client.delete(namespaces, { name: step.name });
          events.record(cluster, {
            type: "Normal",
            reason: clusterEvents.removeExecutionSpace.succeed,
            message: `Removed execution space(${step.name}) of the cluster.`,
          });
          return;
        case "setTaints":
          await client.patch(clusters, key, {
            type: "merge",
            patch: { spec: { taints: step.taints }, metadata: { resourceVersion: metadata.resourceVersion } },
          });
          events.record(cluster, {
            type: "Normal",
            reason: clusterEvents.taintCluster.succeed,
            message: `Set the taints ${step.taints.map(({ key: each, effect }) => `${each}:${effect}`).join(", ") || "none"}.`,
          });
          return;
      }
    },
  };
}

function nameOf({ metadata }: ApiObject): string {
  return metadata.name;
}
