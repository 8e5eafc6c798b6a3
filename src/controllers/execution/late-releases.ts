import type { Work } from "#api/work/work.ts";
import type { Clock } from "#base/clock.ts";
import { UntilCalm } from "#controllers/until-calm.ts";
import type { Watch } from "#runtime/controller.ts";
import type { ExecutionStep } from "./decide-execution.ts";

export interface LateReleasesNeeds {
  readonly clock: Clock;
  /** Whether there is more to send than can be sent at once. */
  readonly isBusy: () => boolean;
}

/** How long until it is asked again whether there is less to do. */
const againMs = 1_000;
/** How long until somebody looks whether there is less to do, for all that wait. */
const lookMs = 100;
/** So many are let go by one look: bindings and templates that waited for them are much to do, too. */
const mostAtOnce = 256;
/** A work whose copy is gone is kept no longer, however much there is to do. */
const latestMs = 60_000;

interface Emptied {
  readonly uid: string;
  readonly sinceMs: number;
}

/**
 * Works whose copies were deleted, and that are let go when there is less to do: what is to be sent or deleted goes first. Nothing here
 * outlives the process: after a restart the member is asked what it still has.
 */
export class LateReleases {
  readonly #needs: LateReleasesNeeds;
  /** By name. */
  readonly #emptied = new Map<string, Emptied>();
  readonly #calm: UntilCalm;

  constructor(needs: LateReleasesNeeds) {
    this.#needs = needs;
    this.#calm = new UntilCalm({ ...needs, lookMs, atOnce: mostAtOnce });
  }

  /** Brings back the works that may be let go, since there is less to do. */
  get watch(): Watch {
    return this.#calm.watch;
  }

  /** What is to be done now of all that is to be done. */
  atOnce(actions: readonly ExecutionStep[]): readonly ExecutionStep[] {
    const others = actions.filter((action) => action.do !== "releaseWork");
    const isBoth = others.length > 0 && others.length < actions.length;
    return isBoth && this.#calm.isBusy() ? others : actions;
  }

  /** Nothing is left of a work that is leaving but the work itself. */
  note({ metadata }: Work, actions: readonly ExecutionStep[]): void {
    if (metadata.deletionTimestamp === undefined || actions.some((action) => action.do === "releaseWork")) return;
    this.#emptied.set(metadata.name, { uid: metadata.uid, sinceMs: this.#needs.clock.nowMs() });
  }

  /** How long a work that has nothing left waits yet before it is let go, unless the watch brings it before; undefined for any other. */
  waitMs({ metadata }: Work): number | undefined {
    const emptied = this.#emptied.get(metadata.name);
    if (emptied?.uid !== metadata.uid) return undefined;
    const leftMs = emptied.sinceMs + latestMs - this.#needs.clock.nowMs();
    if (leftMs <= 0 || this.#calm.isDue(metadata.name) || !this.#calm.isBusy()) return 0;
    return this.#calm.wait(metadata.name) ? leftMs : againMs;
  }

  has(name: string): boolean {
    return this.#emptied.has(name);
  }

  forget(name: string): void {
    this.#emptied.delete(name);
    this.#calm.forget(name);
  }
}
