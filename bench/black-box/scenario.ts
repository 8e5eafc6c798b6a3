import type { Client } from "#client/client.ts";
import type { Figures } from "../bench-row.ts";
import { until } from "../fleet-state.ts";
import type { FleetView } from "./fleet-view.ts";
import type { Load } from "./load.ts";
import type { MeasuredFleet } from "./measured-fleet.ts";
import { Progress } from "./progress.ts";

/** Where a scenario takes place. */
export interface Stage {
  readonly client: Client;
  readonly load: Load;
  readonly members: readonly string[];
  readonly view: FleetView;
  readonly fleet: MeasuredFleet;
}

/** One change of a fleet: what is asked for, and how to see that it has arrived everywhere. */
export interface Change {
  readonly title: string;
  /** May measure something itself: that is the figure then, not the time until it has arrived. */
  readonly ask: (stage: Stage) => Promise<Measured | undefined>;
  readonly arrived?: (stage: Stage) => boolean;
  /** Whether the templates show what became of it, where workloads run. */
  readonly reported?: (stage: Stage) => boolean;
  /** How many templates it concerns; all of them unless told. */
  readonly concerns?: (load: Load) => number;
  /** Why it cannot be measured here, if so. */
  readonly refusal?: (fleet: MeasuredFleet) => string | undefined;
}

/** What a change measured itself. */
export interface Measured {
  readonly value: number;
  readonly unit: string;
  readonly figures?: Figures;
}

/** Changes that follow one another on one load; what comes before the first and after the last is not measured. */
export interface Scenario {
  readonly load: (templates: number) => Load;
  readonly prepare: (stage: Stage) => Promise<void>;
  /** By the names under which they are asked for. */
  readonly changes: Readonly<Record<string, Change>>;
}

/** How many Deployments a load has. */
export function totalOf({ namespaces, deploymentsEach }: Load): number {
  return namespaces.length * deploymentsEach;
}

/** Waits as long as so many templates may take, and something moves. */
export function untilArrived({ load, view }: Stage, isDone: () => boolean): Promise<void> {
  const progress = new Progress({ outlook: view.outlook(load), tell: console.error, nowMs: performance.now() });
  const isOver = () => {
    if (isDone()) return true;
    progress.look(performance.now());
    return false;
  };
  return until(isOver, 120_000 + totalOf(load) * 300);
}

/** A placement on named clusters. */
export const to = (clusterNames: readonly string[]) => ({ placement: { clusterAffinity: { clusterNames } } });

/** Whether every member has all Deployments, of a certain image if one is named. */
export function everywhere({ view, load }: Stage, image?: string): boolean {
  return view.members.every((member) => view.copies(load, member, image) === totalOf(load));
}

/** Whether the first member has all Deployments and the others none. */
export function onFirstOnly({ view, load }: Stage): boolean {
  return view.members.every((member, index) => view.copies(load, member) === (index === 0 ? totalOf(load) : 0));
}

/** Whether every template says that all its replicas run in so many members. */
export function allReport({ view, load }: Stage, members: number): boolean {
  return view.reporting(load, load.replicas * members) === totalOf(load);
}
