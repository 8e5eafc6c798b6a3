import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import type { IncomingEvent } from "#api/metrics/scheduler-metrics.ts";
import { scheduledCondition } from "#api/work/condition-reasons.ts";
import { bindingEvents } from "#api/work/event-reasons.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import { bindingAt, bindingKey } from "#controllers/binding-informers.ts";
import { onceSynced } from "#runtime/all-synced.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Change, Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { acceptsBinding } from "#scheduling/accepted-binding.ts";
import type { ScheduleOptions } from "#scheduling/decide-schedule.ts";
import { scheduledText } from "#scheduling/scheduled-status.ts";
import type { ClusterSnapshots } from "./cluster-snapshots.ts";
import { decideDeparture } from "./decide-departure.ts";
import { decidePlacing, isUnsaid, type Placing } from "./decide-placing.ts";
import type { JustPlaced } from "./just-placed.ts";

export interface SchedulerNeeds {
  readonly client: Client;
  /** Of both scopes. */
  readonly bindings: readonly Informer<ApiObject>[];
  readonly clusters: Informer<ApiObject>;
  readonly snapshots: ClusterSnapshots;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly options: ScheduleOptions;
  readonly figures: SchedulerFigures;
  /** What those placed who wrote it. */
  readonly justPlaced: JustPlaced;
  /** Whether the caches were full before it began: nobody tells it then what found no place. */
  readonly joinsLate: boolean;
}

/** What the scheduler tells of itself. */
export interface SchedulerFigures {
  /** A binding came to be scheduled. */
  incoming(event: IncomingEvent): void;
  /** How many bindings wait for a cluster that fits is read when somebody looks. */
  unschedulable(read: () => number): void;
}

export interface SchedulerFacts {
  readonly binding: Binding;
  readonly placing: Placing;
}

/** The targets first, then the status that speaks of them. */
type Step = { readonly do: "place" };

/** Clusters that do not fit today may fit when something changes; this is for changes that nobody reports. */
const unschedulableRetryMs = 300_000;

/** Puts every binding on clusters, and says on it how that went, unless the report of the works says it along (unsaidStatus). */
export function schedulerController(needs: SchedulerNeeds): Controller<SchedulerFacts, Step> {
  const { client, clock, events, figures } = needs;
  const unplaced = new Set<string>();
  const read = [needs.clusters, ...needs.bindings];
  figures.unschedulable(() => unplaced.size);
  return {
    name: "scheduler",
    watches: [
      ...needs.bindings.map((informer) => watchInformer(informer, (change) => bindingKeys(change, figures))),
      watchClusters(needs, unplaced),
    ],

    priorityOf: (key) => bindingAt(needs.bindings, key)?.spec.schedulePriority?.priority ?? 0,

    gather: (key) =>
      onceSynced(read, () => {
        const binding = bindingAt(needs.bindings, key);
        if (binding === undefined || !acceptsBinding(binding)) {
          unplaced.delete(key);
          const departure = binding && decideDeparture(binding, needs.snapshots.current());
          return departure && { binding, placing: departure };
        }
        const clusters = needs.snapshots.current();
        if (needs.justPlaced.has(binding, clusters)) return void unplaced.delete(key);
        const placing = decidePlacing({
          binding,
          clusters,
          options: needs.options,
          now: formatTime(clock.nowMs()),
        });
        if (placing.decision.attempts.at(-1)?.failure === undefined) unplaced.delete(key);
        else {
          if (placing.decision.retry) figures.incoming("ScheduleAttemptFailure");
          unplaced.add(key);
        }
        return { binding, placing };
      }),

    decide: ({ binding, placing }) => ({
      steps: isUnsaid(binding, placing) || isDone(placing) ? [] : [{ do: "place" }],
      ...(placing.decision.retry
        ? { waitFor: { reason: "the clusters have no room", retryAfterMs: unschedulableRetryMs } }
        : {}),
    }),

    async apply(_, { binding, placing }) {
      const { spec, status } = placing;
      const resource = resourceOf(ResourceBindings.kindFor(binding.metadata.namespace));
      const written = spec === undefined ? binding : await client.update(resource, spec as unknown as ApiObject); // a binding
      if (status === undefined) return;
      const patch = { status: statusPatch({ ...status, ...observed(status, binding, written.metadata.generation) }) };
      await client.patch(resource, keyOf({ metadata: binding.metadata }), {
        type: "merge",
        subresource: "status",
        patch,
      });
      announce(events, binding, placing);
    },
  };
}

function isDone({ spec, status }: Placing): boolean {
  return spec === undefined && status === undefined;
}

/** What was observed is the generation that carries the targets, which may be newer than the one that was decided about. */
function observed(
  { schedulerObservedGeneration }: NonNullable<Binding["status"]>,
  { metadata }: Binding,
  generation: number | undefined,
) {
  const isNews = schedulerObservedGeneration !== undefined && schedulerObservedGeneration === metadata.generation;
  return isNews && generation !== undefined ? { schedulerObservedGeneration: generation } : {};
}

/** Only what scheduling owns: others write the rest of the status. */
function statusPatch({
  conditions,
  schedulerObservedGeneration,
  schedulerObservingAffinityName,
  lastScheduledTime,
}: NonNullable<Binding["status"]>) {
  return { conditions, schedulerObservedGeneration, schedulerObservingAffinityName, lastScheduledTime };
}

function announce(events: EventRecorder, binding: Binding, { decision }: Placing): void {
  const failure = decision.attempts.at(-1)?.failure;
  if (failure !== undefined) {
    events.record(binding, { type: "Warning", reason: bindingEvents.schedule.failed, message: failure.message });
    return;
  }
  const { clusters = [] } = decision;
  events.record(binding, {
    type: "Normal",
    reason: bindingEvents.schedule.succeed,
    message: scheduledText({ clusters }),
  });
}

/** A binding is looked at when its spec or its claim changed; its status is our own doing. */
function bindingKeys({ before, after }: Change<ApiObject>, figures: SchedulerFigures): readonly string[] {
  if (after === undefined) return [];
  const same =
    before !== undefined &&
    before.metadata.generation === after.metadata.generation &&
    jsonEquals(before.metadata.labels, after.metadata.labels);
  if (same) return [];
  figures.incoming(before === undefined ? "BindingAdd" : "BindingUpdate");
  return [bindingKey(after)];
}

/** A cluster that changes what scheduling sees wakes all bindings; one that only reports wakes those that found no place. */
function watchClusters({ clusters, bindings, figures, joinsLate }: SchedulerNeeds, unplaced: Set<string>): Watch {
  return (enqueue) => {
    let isTold = !joinsLate;
    const wake = (key: string) => {
      figures.incoming("ClusterChanged");
      enqueue(key, "background");
    };
    return clusters.subscribe(({ before, after, initial }) => {
      if (initial) return; // the bindings' own listing brings them
      if (!isTold) for (const key of unplacedOf(bindings)) unplaced.add(key);
      isTold = true;
      const visible = (cluster: ApiObject | undefined) => [
        cluster?.metadata.labels,
        cluster?.metadata.generation,
        cluster?.metadata.deletionTimestamp,
      ];
      if (jsonEquals(visible(before), visible(after))) {
        for (const key of unplaced) wake(key);
        return;
      }
      for (const informer of bindings) for (const binding of informer.all()) wake(bindingKey(binding));
    });
  };
}

/** Which bindings say that no place was found for them. */
function unplacedOf(bindings: SchedulerNeeds["bindings"]): readonly string[] {
  const isWaiting = (object: ApiObject) =>
    (object as unknown as Binding).status?.conditions?.some(
      ({ type, status }) => type === scheduledCondition.type && status === "False",
    ) ?? false;
  return bindings.flatMap((informer) => informer.select(isWaiting).map(bindingKey));
}
