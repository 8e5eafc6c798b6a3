import type { Cluster } from "#api/cluster/cluster.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import type { Clock } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import { bindingAt, bindingKey } from "#controllers/binding-informers.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Informer } from "#runtime/informer.ts";
import { decideFailover, type FailoverFacts, type FailoverVerdict } from "./decide-failover.ts";
import { noExecuteTaints } from "./due-evictions.ts";
import { announceMove, announceStranding } from "./eviction-events.ts";
import { isReady, unhealthySince, unhealthyTargets } from "./unhealthy-since.ts";

export interface FailoverNeeds extends Pick<FailoverFacts, "schedule" | "options"> {
  readonly client: Client;
  /** Of both scopes, indexed by `cluster`: the clusters they are on. */
  readonly bindings: readonly Informer<ApiObject>[];
  readonly clusters: Informer<ApiObject>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Whether the caches were full before it began: nobody tells it then who is where something is wrong. */
  readonly joinsLate: boolean;
}

/** What is known of a binding, and what becomes of it. */
export interface FailoverTurn {
  readonly binding: Binding;
  readonly verdict: FailoverVerdict;
  readonly nowMs: number;
  /** Whether it is news that the binding should leave and cannot. */
  readonly newlyStranded: boolean;
}

export type FailoverStep = { readonly do: "move" } | { readonly do: "tellStranding" };

/** What is remembered of bindings between turns: never what was decided, only what time and clusters still have to bring. */
interface Memory {
  /** Since when applications are unhealthy: a start begins to count anew, as in Karmada. */
  readonly unhealthy: Map<string, ReadonlyMap<string, number>>;
  /** Who should leave and cannot. */
  readonly stranded: Set<string>;
}

/** Moves bindings out of clusters whose taints they do not tolerate, and away from where their application stays unhealthy. */
export function failoverController(needs: FailoverNeeds): Controller<FailoverTurn, FailoverStep> {
  const { client, clock, events } = needs;
  const startedMs = clock.nowMs();
  const memory: Memory = { unhealthy: new Map(), stranded: new Set() };
  return {
    name: "failover",
    watches: [
      ...needs.bindings.map((informer) => watchBindings(informer, needs, memory)),
      watchClusters(needs, memory),
    ],

    async gather(key) {
      await Promise.all([needs.clusters.whenSynced(), ...needs.bindings.map((informer) => informer.whenSynced())]);
      const binding = bindingAt(needs.bindings, key);
      if (binding === undefined) return forget(memory, key);
      const nowMs = clock.nowMs();
      const clusters = clustersOf(binding, needs.clusters);
      const unhealthy = unhealthyTargets(binding, clusters);
      const unhealthySinceMs = unhealthySince(memory.unhealthy.get(key), { unhealthy, nowMs });
      const { schedule, options } = needs;
      const verdict = decideFailover({ binding, clusters, unhealthySinceMs, nowMs, schedule, options });
      const isNews = verdict.kind === "stranded" && !memory.stranded.has(key) && verdict.sinceMs >= startedMs;
      remember(memory, key, { unhealthySinceMs, stranded: verdict.kind === "stranded" });
      return { binding, verdict, nowMs, newlyStranded: isNews };
    },

    decide({ verdict, nowMs, newlyStranded }) {
      const { nextMs } = verdict;
      return {
        steps: [
          ...(verdict.kind === "moves" ? [{ do: "move" } as const] : []),
          ...(newlyStranded ? [{ do: "tellStranding" } as const] : []),
        ],
        ...(nextMs !== undefined && {
          waitFor: { reason: "what is wrong is tolerated for a time", retryAfterMs: nextMs - nowMs },
        }),
      };
    },

    async apply(step, { binding, verdict }) {
      if (step.do === "tellStranding") return announceStranding(events, binding, verdict);
      if (verdict.kind !== "moves") return;
      const resource = resourceOf(ResourceBindings.kindFor(binding.metadata.namespace));
      await client.update(resource, verdict.binding as unknown as ApiObject); // a binding, as it was read: others' writes are not lost
      announceMove(events, binding, verdict);
    },
  };
}

/** The clusters that a binding is on; for the informers of bindings. */
export function targetsOf(binding: ApiObject): readonly string[] {
  return ((binding as unknown as Binding).spec.clusters ?? []).map(({ name }) => name); // the informer's kind
}

/** The clusters that a binding is on, as far as they are known. */
export function clustersOf(binding: Binding, informer: Informer<ApiObject>): ReadonlyMap<string, Cluster> {
  const found = (binding.spec.clusters ?? []).map(
    ({ name }) => informer.get({ name }) as unknown as Cluster | undefined,
  ); // as above
  return new Map(found.flatMap((cluster) => (cluster === undefined ? [] : [[cluster.metadata.name, cluster]])));
}

function forget({ unhealthy, stranded }: Memory, key: string): undefined {
  unhealthy.delete(key);
  stranded.delete(key);
}

interface Remembered {
  readonly unhealthySinceMs: ReadonlyMap<string, number>;
  readonly stranded: boolean;
}

function remember(memory: Memory, key: string, { unhealthySinceMs, stranded }: Remembered): void {
  forget(memory, key);
  if (unhealthySinceMs.size > 0) memory.unhealthy.set(key, unhealthySinceMs);
  if (stranded) memory.stranded.add(key);
}

/** Only bindings with something wrong are looked at: a fleet that is well costs nothing. */
function isConcerned(binding: ApiObject, clusters: Informer<ApiObject>, memory: Memory): boolean {
  const key = bindingKey(binding);
  if (memory.stranded.has(key) || memory.unhealthy.has(key)) return true;
  const each = binding as unknown as Binding; // the informer's kind
  if (each.spec.failover?.application !== undefined && each.status?.aggregatedStatus !== undefined) return true;
  return [...clustersOf(each, clusters).values()].some((cluster) => noExecuteTaints(cluster).length > 0);
}

function watchBindings(informer: Informer<ApiObject>, { clusters }: FailoverNeeds, memory: Memory): Watch {
  return (enqueue) =>
    informer.subscribe(({ before, after, initial }) => {
      const binding = after ?? before!;
      if (isConcerned(binding, clusters, memory)) enqueue(bindingKey(binding), initial ? "background" : "user");
    });
}

/** A cluster whose taints or readiness change concerns what is on it; any change may be a way out for who is stranded. */
function watchClusters({ clusters, bindings, joinsLate }: FailoverNeeds, memory: Memory): Watch {
  return (enqueue) => {
    let isTold = !joinsLate;
    return clusters.subscribe(({ before, after, initial }) => {
      if (!isTold) for (const key of onTainted({ clusters, bindings })) memory.stranded.add(key);
      isTold = true;
      for (const key of memory.stranded) enqueue(key, "background");
      const visible = (cluster: ApiObject | undefined) => {
        const each = cluster as unknown as Cluster | undefined; // the informer's kind
        return each === undefined ? [] : [noExecuteTaints(each), isReady(each)];
      };
      if (after === undefined || jsonEquals(visible(before), visible(after))) return;
      if (initial && noExecuteTaints(after as unknown as Cluster).length === 0) return; // the bindings' own listing brings the rest
      for (const informer of bindings)
        for (const binding of informer.byIndex("cluster", after.metadata.name))
          if (isConcerned(binding, clusters, memory)) enqueue(bindingKey(binding), "background");
    });
  };
}

/** Who may be stranded: more than are, and a look at each tells. */
function onTainted({ clusters, bindings }: Pick<FailoverNeeds, "clusters" | "bindings">): readonly string[] {
  const tainted = [...clusters.all()].filter((each) => noExecuteTaints(each as unknown as Cluster).length > 0); // the informer's kind
  return tainted.flatMap(({ metadata }) =>
    bindings.flatMap((informer) => informer.byIndex("cluster", metadata.name).map(bindingKey)),
  );
}
