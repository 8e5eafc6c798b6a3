import type { LabelSelector } from "#api/meta/label-selector.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Controller } from "#runtime/controller.ts";
import { applyStep } from "../apply-step.ts";
import { memberResources } from "../member-resources.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOrphans, watchOwn, watchOwned } from "../watch-owned.ts";
import { decideReplicaSet, type ReplicaSetFacts } from "./decide-replica-set.ts";
import { podCreated, podDeletions } from "./workload-events.ts";

/** Keeps the pods of every ReplicaSet. */
export function replicaSetController(parts: SimulatorParts): Controller<ReplicaSetFacts, Step> {
  return replicas(parts, {
    cache: "replicaSets",
    component: "replicaset-controller",
    selectorOf: (spec) => spec["selector"],
  });
}

/** Keeps the pods of every ReplicationController. */
export function replicationControllerController(parts: SimulatorParts): Controller<ReplicaSetFacts, Step> {
  return replicas(parts, {
    cache: "replicationControllers",
    component: "replication-controller",
    selectorOf: (spec) => ({ matchLabels: spec["selector"] ?? {} }),
  });
}

interface Sort {
  readonly cache: "replicaSets" | "replicationControllers";
  readonly component: string;
  readonly selectorOf: (spec: Fields) => LabelSelector | undefined;
}

function replicas(parts: SimulatorParts, sort: Sort): Controller<ReplicaSetFacts, Step> {
  const { caches, client, clock } = parts;
  const events = parts.recorderOf(sort.component);
  const resource: ResourceId = memberResources[sort.cache];
  const sets = caches[sort.cache];
  const { pods } = caches;
  return {
    name: resource.resource,
    watches: [watchOwn(sets), watchOwned(pods, resource), watchOrphans(pods, sets, sort.selectorOf)],
    gather(key) {
      const set = sets.get(parseKey(key));
      if (set === undefined) return undefined;
      const { uid, namespace = "" } = set.metadata;
      const orphans = pods.byIndex("orphans", namespace);
      return { resource, set, pods: pods.byIndex("owner", uid), orphans, nowMs: clock.nowMs() };
    },
    decide: decideReplicaSet,
    async apply(step, { set }) {
      await applyStep(client, step, { onCreate: (pod) => events.record(set, podCreated(pod)) });
      for (const text of podDeletions(step)) events.record(set, text);
    },
  };
}
