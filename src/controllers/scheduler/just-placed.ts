import { appliedPlacementAnnotation } from "#api/policy/applied-keys.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Clock } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import { PassingNotes } from "#base/passing-notes.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import type { ClusterSnapshot } from "#scheduling/cluster-facts.ts";
import type { ScheduleDecision, ScheduleFacts } from "#scheduling/decide-schedule.ts";
import { isRescheduleDue } from "#scheduling/replica-strategy.ts";
import { isNews } from "./decide-placing.ts";

/** All that another cycle would look at. */
interface Placed {
  readonly spec: Binding["spec"];
  readonly clusters: ClusterSnapshot;
  readonly appliedPlacement: string | undefined;
  readonly lastScheduledTime: string | undefined;
  readonly affinityName: string | undefined;
}

/** The scheduler comes to a binding soon after it was written, or does its work once more. */
const keptMs = 30_000;

/** Remembers what was placed in the write that made or changed it: another cycle over the same would find nothing to do, only cost as much. */
export class JustPlaced {
  readonly #placed: PassingNotes<Placed>;

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#placed = new PassingNotes(clock, keptMs);
  }

  /** A binding is about to be written as a cycle left it. */
  note({ clusters, options }: ScheduleFacts, placed: Binding, { attempts, retry }: ScheduleDecision): void {
    // others' estimates and the places of its peers may change while the clusters stay as they are
    const isFinal = options.estimates === undefined && options.peers === undefined;
    // who asks for a fresh division gets one until it is said when it was
    const isAsked = isRescheduleDue(placed.spec.rescheduleTriggeredAt, placed.status?.lastScheduledTime);
    if (!isFinal || isAsked || retry || attempts.at(-1)?.failure !== undefined) return;
    this.#placed.set(bindingKey(placed), factsAbout(placed, clusters));
  }

  /** Whether a binding is what came of the last cycle, which nobody has said yet, and nothing that it goes by has changed. */
  has(binding: Binding, clusters: ClusterSnapshot): boolean {
    const known = this.#placed.get(bindingKey(binding));
    if (known === undefined || known.clusters !== clusters || !isNews(binding)) return false;
    const now = factsAbout(binding, clusters);
    return (
      now.appliedPlacement === known.appliedPlacement &&
      now.lastScheduledTime === known.lastScheduledTime &&
      now.affinityName === known.affinityName &&
      jsonEquals(now.spec, known.spec)
    );
  }
}

function factsAbout({ metadata, spec, status }: Binding, clusters: ClusterSnapshot): Placed {
  return {
    spec,
    clusters,
    appliedPlacement: metadata.annotations?.[appliedPlacementAnnotation],
    lastScheduledTime: status?.lastScheduledTime,
    affinityName: status?.schedulerObservingAffinityName,
  };
}
