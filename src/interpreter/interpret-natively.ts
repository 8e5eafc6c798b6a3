import type { Manifest } from "#api/meta/manifest.ts";
import { type JsonObject, jsonEquals } from "#base/json.ts";
import type { StatusItem } from "./aggregate-status.ts";
import type { Dependency } from "./dependencies.ts";
import { type Interpretation, interpret } from "./interpretation.ts";
import { type KindRules, nativeRules } from "./native-rules.ts";
import { wholeStatus } from "./reflect-status.ts";
import { demandOf, type ReplicaDemand } from "./replicas.ts";

/** How many replicas an object asks for, and what each needs. */
export function interpretReplicas(object: Manifest): Interpretation<ReplicaDemand> {
  return interpret(rulesOf(object).replicas, (read) => demandOf(object, read));
}

/** How many replicas an object asks for, alone. */
export function countReplicas(object: Manifest): Interpretation<number> {
  return interpret(rulesOf(object).replicas, ({ count }) => count(object));
}

/** The object with another number of replicas; unchanged where it names none. */
export function reviseReplicas(object: Manifest, replicas: number): Interpretation<Manifest> {
  return interpret(rulesOf(object).reviseReplicas, (revise) => revise(object, replicas));
}

/** What an object needs to work, sorted. */
export function interpretDependencies(object: Manifest): Interpretation<readonly Dependency[]> {
  return interpret(rulesOf(object).dependencies, (read) => read(object));
}

/** Whether a member's object is well. */
export function interpretHealth(object: Manifest): Interpretation<boolean> {
  return interpret(rulesOf(object).health, (read) => read(object));
}

/** What of a member's object is reported; undefined when nothing is. */
export function reflectStatus(object: Manifest): Interpretation<JsonObject | undefined> {
  return interpret(rulesOf(object).reflectStatus ?? wholeStatus, (reflect) => reflect(object));
}

/** The template with a status made of those of its copies; the same object where nothing changes. */
export function aggregateStatus(
  object: Manifest,
  facts: { readonly items: readonly StatusItem[]; readonly now: string },
): Interpretation<Manifest> {
  return interpret(rulesOf(object).aggregateStatus, (aggregate) => {
    const status = aggregate(object, facts);
    if (status === undefined || jsonEquals(status, object["status"])) return object;
    return { ...object, status };
  });
}

/** What the member shall have, with what the member itself has decided taken over. */
export function retainFields(desired: Manifest, observed: Manifest): Interpretation<Manifest> {
  return interpret(rulesOf(desired).retain, (retain) => retain(desired, observed));
}

function rulesOf({ apiVersion, kind }: Manifest): KindRules {
  return nativeRules.get(`${apiVersion} ${kind}`) ?? {};
}
