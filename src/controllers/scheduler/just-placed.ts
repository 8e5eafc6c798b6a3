import { appliedPlacementAnnotation } from "#api/policy/applied-keys.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { ClusterSnapshot } from "#scheduling/cluster-facts.ts";
import type { ScheduleDecision, ScheduleFacts } from "#scheduling/decide-schedule.ts";
import { isRescheduleDue } from "#scheduling/replica-strategy.ts";
import { isNews } from "./decide-placing.ts";

/** All that another cycle about the same spec would look at. */
interface Placed {
  readonly clusters: ClusterSnapshot;
  readonly appliedPlacement: string | undefined;
  readonly lastScheduledTime: string | undefined;
  readonly affinityName: string | undefined;
}

/** Remembers what was placed in the write that made or changed it: another cycle over the same would find nothing to do, only cost as much. */
export class JustPlaced {
  readonly #specs = new WeakMap<Binding["spec"], Placed>();

  /** A binding is about to be written as a cycle left it. */
  note({ clusters, options }: ScheduleFacts, placed: Binding, { attempts, retry }: ScheduleDecision): void {
    // others' estimates and the places of its peers may change while the clusters stay as they are
    const isFinal = options.estimates === undefined && options.peers === undefined;
    // who asks for a fresh division gets one until it is said when it was
    const isAsked = isRescheduleDue(placed.spec.rescheduleTriggeredAt, placed.status?.lastScheduledTime);
    if (!isFinal || isAsked || retry || attempts.at(-1)?.failure !== undefined) return;
    this.#specs.set(placed.spec, factsAbout(placed, clusters));
  }

  /** Whether a binding is what came of the last cycle, which nobody has said yet, and nothing that it goes by has changed. */
  has(binding: Binding, clusters: ClusterSnapshot): boolean {
    const known = this.#specs.get(binding.spec);
    if (known === undefined || known.clusters !== clusters || !isNews(binding)) return false;
    const now = factsAbout(binding, clusters);
    return (
      now.appliedPlacement === known.appliedPlacement &&
      now.lastScheduledTime === known.lastScheduledTime &&
      now.affinityName === known.affinityName
    );
  }
}

function factsAbout({ metadata, status }: Binding, clusters: ClusterSnapshot): Placed {
  return {
    clusters,
    appliedPlacement: metadata.annotations?.[appliedPlacementAnnotation],
    lastScheduledTime: status?.lastScheduledTime,
    affinityName: status?.schedulerObservingAffinityName,
  };
}
