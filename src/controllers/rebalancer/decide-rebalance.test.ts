import { describe, expect, test } from "vitest";
import type { WorkloadRebalancer } from "#api/apps/workload-rebalancer.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import {
  decideRebalance,
  type RebalancedWorkload,
  type RebalancerStatus,
  untriedWorkloads,
  withoutResults,
  workloadKey,
} from "./decide-rebalance.ts";

const created = "2026-11-15T10:00:00Z";
const now = "2026-11-15T10:00:05Z";
const web = workload("web");
const api = workload("api");

function workload(name: string): RebalancedWorkload {
  return { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name };
}

function rebalancer(
  workloads: readonly RebalancedWorkload[],
  more: { readonly status?: RebalancerStatus; readonly ttl?: number; readonly generation?: number } = {},
): WorkloadRebalancer {
  return {
    metadata: { name: "now", creationTimestamp: created, generation: more.generation ?? 1 },
    spec: { workloads, ...(more.ttl === undefined ? {} : { ttlSecondsAfterFinished: more.ttl }) },
    ...(more.status === undefined ? {} : { status: more.status }),
  } as unknown as WorkloadRebalancer; // what the decision reads
}

function binding(rescheduleTriggeredAt?: string): Binding {
  return { spec: rescheduleTriggeredAt === undefined ? {} : { rescheduleTriggeredAt } } as unknown as Binding; // as above
}

const successful = (each: RebalancedWorkload) => ({ workload: each, result: "Successful" });
const failed = (each: RebalancedWorkload) => ({
  workload: each,
  result: "Failed",
  reason: "ReferencedBindingNotFound",
});
const finished = (...observedWorkloads: readonly object[]) =>
  ({ observedWorkloads, observedGeneration: 1, finishTime: "2026-11-15T10:00:01Z" }) as unknown as RebalancerStatus; // as above

interface Row {
  readonly name: string;
  readonly given: WorkloadRebalancer;
  readonly bindings?: Readonly<Record<string, Binding>>;
  readonly triggered?: readonly string[];
  readonly observed?: readonly object[];
  readonly deletes?: boolean;
  readonly waitsMs?: number;
}

const rows: readonly Row[] = [
  {
    name: "a workload with a binding is triggered and successful",
    given: rebalancer([web]),
    bindings: { web: binding() },
    triggered: ["web"],
    observed: [successful(web)],
  },
  {
    name: "a workload without a binding has failed for good",
    given: rebalancer([web]),
    observed: [failed(web)],
  },
  {
    name: "the list is sorted, and a workload that stands twice counts once",
    given: rebalancer([web, api, web]),
    bindings: { web: binding() },
    triggered: ["web"],
    observed: [failed(api), successful(web)],
  },
  {
    name: "a binding that was triggered before the rebalancer was made is triggered again",
    given: rebalancer([web]),
    bindings: { web: binding("2026-11-15T09:59:59Z") },
    triggered: ["web"],
    observed: [successful(web)],
  },
  {
    name: "a binding that was triggered at the same time or later is not written, but counts",
    given: rebalancer([web]),
    bindings: { web: binding(created) },
    observed: [successful(web)],
  },
  {
    name: "a finished rebalancer does nothing more",
    given: rebalancer([web], { status: finished(successful(web)) }),
    bindings: { web: binding() },
  },
  {
    name: "a failed workload is not tried again, even when its binding has come",
    given: rebalancer([web], { status: finished(failed(web)) }),
    bindings: { web: binding() },
  },
  {
    name: "a workload that was added is tried, the others keep their results",
    given: rebalancer([web, api], { status: finished(successful(web)), generation: 2 }),
    bindings: { api: binding(), web: binding() },
    triggered: ["api"],
    observed: [successful(api), successful(web)],
  },
  {
    name: "a workload that was taken out stays listed when it was successful",
    given: rebalancer([api], { status: finished(failed(api), successful(web)), generation: 2 }),
    observed: [failed(api), successful(web)],
  },
  {
    name: "a workload that was taken out is forgotten when it had failed",
    given: rebalancer([api], { status: finished(successful(api), failed(web)), generation: 2 }),
    observed: [successful(api)],
  },
  {
    name: "a workload without a result yet is tried again",
    given: rebalancer([web], {
      status: { observedWorkloads: [{ workload: web }], observedGeneration: 1 } as unknown as RebalancerStatus, // no finish time
    }),
    bindings: { web: binding() },
    triggered: ["web"],
    observed: [successful(web)],
  },
  {
    name: "a finished rebalancer with a ttl waits for the rest of it",
    given: rebalancer([web], { status: finished(successful(web)), ttl: 10 }),
    waitsMs: 6_000,
  },
  {
    name: "a finished rebalancer goes when its ttl is over",
    given: rebalancer([web], { status: finished(successful(web)), ttl: 4 }),
    deletes: true,
  },
  {
    name: "a ttl of nothing means at once",
    given: rebalancer([web], { status: finished(successful(web)), ttl: 0 }),
    deletes: true,
  },
];

describe("decideRebalance", () => {
  test.each(rows)("$name", ({ given, bindings = {}, triggered = [], observed, deletes, waitsMs }) => {
    const found = new Map(Object.entries(bindings).map(([name, each]) => [workloadKey(workload(name)), each]));
    const { steps, waitFor } = decideRebalance({ rebalancer: given, bindings: found, now });
    const expected =
      observed === undefined
        ? deletes === true
          ? [{ do: "deleteRebalancer" }]
          : []
        : [
            {
              do: "rebalance",
              triggers: triggered.map((name) => ({
                workload: workloadKey(workload(name)),
                binding: bindings[name],
                at: created,
              })),
              status: { observedWorkloads: observed, observedGeneration: given.metadata.generation, finishTime: now },
            },
          ];
    expect(steps).toEqual(expected);
    expect(waitFor?.retryAfterMs).toBe(waitsMs);
  });

  test("workloads whose trigger failed have no result, and nothing is finished", () => {
    const status = finished(successful(api), successful(web));
    expect(withoutResults(status, new Set([workloadKey(web)]))).toEqual({
      observedWorkloads: [successful(api), { workload: web }],
      observedGeneration: 1,
    });
  });

  test("only workloads without a result are looked up", () => {
    expect(untriedWorkloads(rebalancer([web, api], { status: finished(failed(web)) }))).toEqual([api]);
  });
});
