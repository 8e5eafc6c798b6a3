import type { Plan } from "#base/plan.ts";
import type { Lane } from "./ready-keys.ts";

/** Reports keys that may need work; returns the function that ends it. */
export type Watch = (enqueue: Enqueue) => () => void;

/** Brings a key to its controller; at once, or in the background after so long, unless it comes sooner for another reason. */
export type Enqueue = (key: string, lane: Lane, afterMs?: number) => void;

/** Keeps one kind of thing as its decision wants it. Keys are strings; gather knows what they mean. */
export interface Controller<Facts, Step> {
  readonly name: string;
  readonly watches: readonly Watch[];
  /** How soon a key's turn comes among those that wait: higher first. All alike where it is absent. */
  priorityOf?(key: string): number;
  /** How many steps of a plan are taken at once; one after the other where it is absent. Then none builds on another, and each is tried. */
  readonly stepsAtOnce?: number;
  /** Reads what the decision needs; undefined when there is nothing left to decide about. */
  gather(key: string, signal: AbortSignal): Promise<Facts | undefined> | Facts | undefined;
  /** Pure: same facts, same plan. No clock, no client, no log. */
  decide(facts: Facts): Plan<Step>;
  /** Takes one step; what is to be waited for, if anything is. Must be safe to repeat. */
  apply(step: Step, facts: Facts, signal: AbortSignal): Promise<unknown> | undefined;
}

/** Retrying cannot help until the object changes. */
export class TerminalError extends Error {}
