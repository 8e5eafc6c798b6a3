import type { Manifest } from "#api/meta/manifest.ts";
import { templateGenerationAnnotation } from "#api/work/template-keys.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import { countAt, listAt, objectAt, pick, textAt } from "./fields.ts";
import { Malformed } from "./interpretation.ts";
import { printCounters, type WorkloadStatusShape } from "./status-fields.ts";

/** What of a member's object is reported to the control plane; undefined when nothing is. */
export type ReflectStatus = (object: Manifest) => JsonObject | undefined;

/** The whole status. */
export function wholeStatus(object: Manifest): JsonObject | undefined {
  const { status } = object;
  if (status === undefined || status === null) return undefined;
  if (!isJsonObject(status)) throw new Malformed("status is not an object");
  return status;
}

/** The counters of a workload, and of which versions of the object and its template they tell. */
export function workloadStatus(
  shape: WorkloadStatusShape,
  options: { readonly observed: boolean; readonly nothingWhenEmpty: boolean },
): ReflectStatus {
  return (object) => {
    const status = wholeStatus(object);
    if (status === undefined) return undefined;
    const observedGeneration = countAt(status, "observedGeneration");
    const counters: Record<string, number> = {};
    for (const name of shape.counters) counters[name] = countAt(status, name);
    if (options.observed) counters["observedGeneration"] = observedGeneration;
    counters["generation"] = countAt(object, "metadata.generation");
    counters["resourceTemplateGeneration"] = templateGeneration(object);
    const reflected = printCounters(counters, shape.printedWhenZero);
    return options.nothingWhenEmpty && Object.keys(reflected).length === 0 ? undefined : reflected;
  };
}

/** Only a load balancer has something to report. */
export function serviceStatus(object: Manifest): JsonObject | undefined {
  const status = wholeStatus(object);
  if (textAt(object, "spec.type") !== "LoadBalancer" || status === undefined) return undefined;
  return { loadBalancer: objectAt(status, "loadBalancer") };
}

/** How far a Job is. */
export function jobStatus(object: Manifest): JsonObject | undefined {
  const status = wholeStatus(object);
  if (status === undefined) return undefined;
  const counters = Object.fromEntries(["active", "succeeded", "failed"].map((name) => [name, countAt(status, name)]));
  const conditions = listAt(status, "conditions").length === 0 ? [] : ["conditions"];
  return { ...printCounters(counters, []), ...pick(status, [...conditions, "startTime", "completionTime"]) };
}

/** The pods of a budget. */
export function disruptionBudgetStatus(object: Manifest): JsonObject | undefined {
  const status = wholeStatus(object);
  if (status === undefined) return undefined;
  const names = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];
  const disrupted = Object.keys(objectAt(status, "disruptedPods")).length === 0 ? [] : ["disruptedPods"];
  return { ...Object.fromEntries(names.map((name) => [name, countAt(status, name)])), ...pick(status, disrupted) };
}

/** The replicas of an autoscaler. */
export function autoscalerStatus(object: Manifest): JsonObject | undefined {
  const status = wholeStatus(object);
  if (status === undefined) return undefined;
  const counters = {
    currentReplicas: countAt(status, "currentReplicas"),
    desiredReplicas: countAt(status, "desiredReplicas"),
  };
  return printCounters(counters, ["desiredReplicas"]);
}

/** Which version of the template the member has; without it the status cannot be told from an old one. */
function templateGeneration({ metadata }: Manifest): number {
  const text = metadata.annotations?.[templateGenerationAnnotation] ?? "";
  if (!/^[-+]?[0-9]+$/.test(text)) {
    throw new Malformed(`annotation ${templateGenerationAnnotation} is not a whole number: ${JSON.stringify(text)}`);
  }
  return Number(text);
}
