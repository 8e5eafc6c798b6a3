import type { Manifest } from "#api/meta/manifest.ts";
import type { Component } from "#api/work/replica-requirements.ts";
import type { JsonObject } from "#base/json.ts";
import type { StatusItem } from "./aggregate-status.ts";
import type { Dependency } from "./dependencies.ts";
import {
  aggregateStatus,
  countReplicas,
  interpretDependencies,
  interpretHealth,
  interpretReplicas,
  reflectStatus,
  retainFields,
  reviseReplicas,
} from "./interpret-natively.ts";
import type { Interpretation } from "./interpretation.ts";
import type { ReplicaDemand } from "./replicas.ts";

/** What native rules say at once, and customizations later. */
export type Answer<T> = Interpretation<T> | Promise<Interpretation<T>>;

/** What kinds mean. Every operation answers, whatever the object or a script does; none throws or rejects. */
export interface Interpreter {
  /** How many replicas an object asks for, and what each needs. */
  replicas(object: Manifest): Answer<ReplicaDemand>;
  /** How many replicas an object asks for, alone: whether what each needs can be read is not looked at. */
  replicaCount(object: Manifest): Answer<number>;
  /** The kinds of pods of a workload that has several. */
  components(object: Manifest): Answer<readonly Component[]>;
  /** The object with another number of replicas. */
  reviseReplicas(object: Manifest, replicas: number): Answer<Manifest>;
  /** What the member shall have, with what the member itself has decided taken over. */
  retain(desired: Manifest, observed: Manifest): Answer<Manifest>;
  /** What of a member's object is reported; undefined when nothing is. */
  reflectStatus(observed: Manifest): Answer<JsonObject | undefined>;
  /** Whether a member's object is well. */
  health(observed: Manifest): Answer<boolean>;
  /** The template with a status made of those of its copies. */
  aggregateStatus(
    object: Manifest,
    facts: { readonly items: readonly StatusItem[]; readonly now: string },
  ): Answer<Manifest>;
  /** What an object needs to work. */
  dependencies(object: Manifest): Answer<readonly Dependency[]>;
}

/** The rules that need nobody's word, all at once. */
export const nativeInterpreter: Interpreter = {
  replicas: interpretReplicas,
  replicaCount: countReplicas,
  components: () => ({ ok: false, why: "no rule", message: "no native kind has components" }),
  reviseReplicas,
  retain: retainFields,
  reflectStatus,
  health: interpretHealth,
  aggregateStatus,
  dependencies: interpretDependencies,
};

/** Goes on with an answer: at once where it is there, later where it is not. */
export function onceKnown<T, U>(answer: T | Promise<T>, go: (answer: T) => U | Promise<U>): U | Promise<U> {
  return answer instanceof Promise ? answer.then(go) : go(answer);
}

/** All of them: at once where all are there. */
export function allKnown<T>(answers: readonly (T | Promise<T>)[]): readonly T[] | Promise<readonly T[]> {
  return answers.some((each) => each instanceof Promise) ? Promise.all(answers) : (answers as readonly T[]); // just made sure
}
