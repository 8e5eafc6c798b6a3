import type { Manifest } from "#api/meta/manifest.ts";
import type { BindingStatus } from "#api/work/resource-binding.ts";
import { compareBytes } from "#base/byte-order.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import { countAt, objectAt, objectsAt, pick, textAt, valueAt } from "./fields.ts";
import { Malformed } from "./interpretation.ts";
import { printCounters, type WorkloadStatusShape } from "./status-fields.ts";

/** What one cluster reports of its copy. */
export type StatusItem = NonNullable<BindingStatus["aggregatedStatus"]>[number];

/** The status of a template from those of its copies; the old one, untouched, where it already says the same. */
export type AggregateStatus = (
  object: Manifest,
  facts: { readonly items: readonly StatusItem[]; readonly now: string },
) => JsonObject | undefined;

/** The statuses that were collected so far. */
export function collected(
  items: readonly StatusItem[],
): readonly { readonly cluster: string; readonly status: JsonObject }[] {
  return items.flatMap(({ clusterName, status }) => {
    if (status === undefined || status === null) return [];
    if (!isJsonObject(status)) throw new Malformed(`the status from ${clusterName} is not an object`);
    return [{ cluster: clusterName, status }];
  });
}

/**
 * The sums over all clusters. The generation counts as observed when every cluster has observed it; a StatefulSet's copies need not say
 * which generation of the template they have.
 */
export function sumWorkload(shape: WorkloadStatusShape, { mayHideTemplate = false } = {}): AggregateStatus {
  return (object, { items }) => {
    const old = objectAt(object, "status");
    const generation = countAt(object, "metadata.generation");
    const statuses = collected(items).map(({ status }) => status);
    const sums = sumOf(statuses, shape.counters);
    const current = statuses.filter((status) => {
      const template = countAt(status, "resourceTemplateGeneration");
      const hasTemplate = template >= generation || (mayHideTemplate && template === 0);
      return hasTemplate && countAt(status, "observedGeneration") >= countAt(status, "generation");
    });
    const observed = current.length === items.length ? generation : countAt(old, "observedGeneration");
    const counters = { observedGeneration: observed, ...sums };
    if (Object.entries(counters).every(([name, count]) => countAt(old, name) === count)) return kept(object);
    return { ...pick(old, shape.others), ...printCounters(counters, shape.printedWhenZero) };
  };
}

/** The status as it is; undefined where there is none. */
export function kept(object: Manifest): JsonObject | undefined {
  return valueAt(object, "status") === undefined ? undefined : objectAt(object, "status");
}

/** The addresses of a load balancer in all clusters, each once. */
export function unionOfAddresses(_object: Manifest, { items }: { readonly items: readonly StatusItem[] }): JsonObject {
  const addresses = collected(items).flatMap(({ status }) => objectsAt(status, "loadBalancer.ingress"));
  const byKey = new Map(
    addresses.map((address) => [`${textAt(address, "ip")}\n${textAt(address, "hostname")}`, address]),
  );
  const sorted = [...byKey].toSorted(([a], [b]) => compareBytes(a, b)).map(([, address]) => address);
  return { loadBalancer: sorted.length === 0 ? {} : { ingress: sorted } };
}

/** The same for a service, of which only load balancers have addresses. */
export const serviceAddresses: AggregateStatus = (object, facts) =>
  textAt(object, "spec.type") === "LoadBalancer" ? unionOfAddresses(object, facts) : kept(object);

/** All active jobs of a CronJob, and its latest times. */
export const cronJobStatus: AggregateStatus = (object, { items }) => {
  const statuses = collected(items).map(({ status }) => status);
  const active = statuses.flatMap((status) => objectsAt(status, "active"));
  const [scheduled, succeeded] = ["lastScheduleTime", "lastSuccessfulTime"].map((field) => latest(statuses, field));
  const empty = active.length === 0 && scheduled === undefined && succeeded === undefined;
  if (empty && kept(object) === undefined) return undefined;
  return {
    ...(active.length > 0 && { active }),
    ...(scheduled !== undefined && { lastScheduleTime: scheduled }),
    ...(succeeded !== undefined && { lastSuccessfulTime: succeeded }),
  };
};

/** The sums of a budget's pods; disrupted pods are named with their cluster. */
export const disruptionBudgetSums: AggregateStatus = (_object, { items }) => {
  const statuses = collected(items);
  const names = ["currentHealthy", "desiredHealthy", "expectedPods", "disruptionsAllowed"];
  const disrupted = statuses.flatMap(({ cluster, status }) =>
    Object.entries(objectAt(status, "disruptedPods")).map(([pod, time]) => [`${cluster}/${pod}`, time] as const),
  );
  const sums = sumOf(
    statuses.map(({ status }) => status),
    names,
  );
  return { ...sums, ...(disrupted.length > 0 && { disruptedPods: Object.fromEntries(disrupted) }) };
};

/** The worst phase that some cluster reports, in the order given; a cluster that reports nothing is taken to be pending. */
export function worstPhase(order: readonly string[]) {
  return (items: readonly StatusItem[]): string | undefined => {
    const phases = new Set(collected(items).map(({ status }) => textAt(status, "phase")));
    if (items.some(({ status }) => status === undefined || status === null)) phases.add("Pending");
    return order.find((phase) => phases.has(phase));
  };
}

/** What a counter of Kubernetes can hold. */
const maxCount = 2 ** 31 - 1;

function sumOf(statuses: readonly JsonObject[], names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      Math.min(
        statuses.reduce((sum, status) => sum + countAt(status, name), 0),
        maxCount,
      ),
    ]),
  );
}

function latest(statuses: readonly JsonObject[], field: string): string | undefined {
  const times = statuses.map((status) => textAt(status, field)).filter((time) => time !== "");
  return times.toSorted(compareBytes).at(-1);
}
