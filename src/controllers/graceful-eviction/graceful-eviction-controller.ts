import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { bindingEvents } from "#api/work/event-reasons.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import type { Clock } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import { bindingAt, bindingKey } from "#controllers/binding-informers.ts";
import { withTasks } from "#controllers/failover/evicted-spec.ts";
import { tellBoth } from "#controllers/failover/eviction-events.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Informer } from "#runtime/informer.ts";
import type { ScheduleDecision } from "#scheduling/decide-schedule.ts";
import { decideTasks, type TaskFacts, type TaskVerdict } from "./decide-tasks.ts";

export interface GracefulEvictionNeeds extends Pick<TaskFacts, "timeoutMs" | "keepsOnlyCopies"> {
  readonly client: Client;
  /** Of both scopes. */
  readonly bindings: readonly Informer<ApiObject>[];
  readonly clusters: Informer<ApiObject>;
  /** Where scheduling would put a binding, and the binding with that written down. */
  readonly schedule: (binding: Binding) => { readonly decision: ScheduleDecision; readonly placed: Binding };
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Whether the caches were full before it began: nobody tells it then whose time was up. */
  readonly joinsLate: boolean;
}

interface Facts {
  readonly binding: Binding;
  readonly verdict: TaskVerdict;
  /** The binding as it should be; the same one when nothing is to be written. */
  readonly next: Binding;
  readonly nowMs: number;
}

type Step = { readonly do: "put" };

/** Ends evictions: the old copy goes when the new ones serve, or when its time is up. Tasks go on where they were after a restart. */
export function gracefulEvictionController(needs: GracefulEvictionNeeds): Controller<Facts, Step> {
  const { client, clock, events, timeoutMs, keepsOnlyCopies, schedule } = needs;
  /** Whose time is up, but nothing replaces them: a cluster that changes may. */
  const overdue = new Set<string>();
  return {
    name: "graceful-eviction",
    watches: [...needs.bindings.map(watchBindings), watchClusters(needs, overdue)],

    async gather(key) {
      await Promise.all([needs.clusters.whenSynced(), ...needs.bindings.map((informer) => informer.whenSynced())]);
      overdue.delete(key);
      const binding = bindingAt(needs.bindings, key);
      if (binding === undefined || binding.metadata.deletionTimestamp !== undefined) return undefined;
      const nowMs = clock.nowMs();
      const fits = () => schedule(binding).decision.attempts.at(-1)?.failure === undefined;
      const verdict = decideTasks({ binding, nowMs, timeoutMs, keepsOnlyCopies, fits });
      const kept = { ...binding, spec: withTasks(binding.spec, verdict.kept) };
      const back = verdict.overdue.length === 0 ? undefined : takenBack(kept, verdict, needs);
      if (verdict.overdue.length > 0 && back === undefined) overdue.add(key);
      return { binding, verdict, next: back ?? kept, nowMs };
    },

    decide({ binding, verdict: { nextMs }, next, nowMs }) {
      return {
        steps: jsonEquals(next.spec, binding.spec) ? [] : [{ do: "put" }],
        ...(nextMs !== undefined && {
          waitFor: { reason: "a copy waits for its replacement", retryAfterMs: nextMs - nowMs },
        }),
      };
    },

    async apply(_, { binding, verdict, next }) {
      const resource = resourceOf(ResourceBindings.kindFor(binding.metadata.namespace));
      await client.update(resource, next as unknown as ApiObject); // a binding, as it was read: others' writes are not lost
      for (const cluster of verdict.ended)
        tellBoth(events, binding, {
          type: "Normal",
          reason: bindingEvents.evict.succeed,
          message: `Evict from cluster ${cluster} succeed.`,
        });
    },
  };
}

/** A binding that has nowhere to go may use again, in one write, what it was leaving, once that fits again. */
function takenBack(binding: Binding, { kept, overdue }: TaskVerdict, { schedule }: GracefulEvictionNeeds) {
  const tasks = kept.filter(({ fromCluster }) => !overdue.includes(fromCluster));
  const { decision, placed } = schedule({ ...binding, spec: withTasks(binding.spec, tasks) });
  const isPlaced = decision.attempts.at(-1)?.failure === undefined && (decision.clusters ?? []).length > 0;
  return isPlaced ? placed : undefined;
}

/** Only bindings with tasks are looked at. */
function watchBindings(informer: Informer<ApiObject>): Watch {
  return (enqueue) =>
    informer.subscribe(({ before, after, initial }) => {
      if (!hasTasks((after ?? before)!)) return;
      enqueue(bindingKey((after ?? before)!), initial ? "background" : "user");
    });
}

function watchClusters({ clusters, bindings, joinsLate }: GracefulEvictionNeeds, overdue: Set<string>): Watch {
  return (enqueue) => {
    let isTold = !joinsLate;
    return clusters.subscribe(() => {
      if (!isTold)
        for (const binding of bindings.flatMap((informer) => informer.select(hasTasks)))
          overdue.add(bindingKey(binding));
      isTold = true;
      for (const key of overdue) enqueue(key, "background");
    });
  };
}

function hasTasks(object: ApiObject): boolean {
  return ((object as unknown as Binding).spec.gracefulEvictionTasks ?? []).length > 0; // the informer's kind
}
