import type { Dice } from "#test/world/dice.ts";
import type { Sample } from "./sample-objects.ts";

/** One request as it is sent to both servers. */
export interface RequestQuestion {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  /** The Accept header. */
  readonly accept?: string;
}

/** Makes one random request about a sample; nothing that it asks for changes anything, so that requests do not disturb each other. */
export type QuestionMaker = (sample: Sample, dice: Dice) => RequestQuestion;

/** What a client sees of an answer that says no, or that has a remark. */
export interface Refusal {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: unknown;
  /** The texts of its Warning headers. */
  readonly warnings?: readonly string[];
  /** Where an Accept header was sent: the type of the answer, and what it says it is. */
  readonly form?: unknown;
  /** Of what was written: what its metadata became. */
  readonly metadata?: unknown;
}
