import fc from "fast-check";
import { expect, test } from "vitest";
import type { Condition } from "#api/meta/condition.ts";
import type { Placement } from "#api/policy/placement.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { cloneJson } from "#base/json.ts";
import { takeSnapshot } from "#scheduling/cluster-facts.ts";
import { sketchBinding, sketchCluster } from "#test/world/scheduling-sketch.ts";
import { decidePlacing, isUnsaid, placeBinding, unsaidStatus } from "./decide-placing.ts";
import { JustPlaced } from "./just-placed.ts";

const names = ["m1", "m2", "m3", "m4"];
const clusters = takeSnapshot(names.map((name, index) => sketchCluster({ name, pods: 3 * index })));
const now = "2026-11-15T00:00:00Z";

function bindingOf(
  placement: Placement,
  { replicas = 4, clusters: targets = [] as Target[], more = {}, conditions = [] as Condition[] } = {},
): Binding {
  const spec = { placement, replicas, ...(targets.length > 0 && { clusters: targets }), ...more };
  const status = { schedulerObservedGeneration: 1, lastScheduledTime: now, conditions };
  const binding = sketchBinding({ spec, status });
  const labels = { "propagationpolicy.karmada.io/permanent-id": "p" };
  return { ...binding, metadata: { ...binding.metadata, labels } };
}

interface Target {
  readonly name: string;
  readonly replicas: number;
}

/** Places a binding and takes note of it. */
function placed(binding: Binding, memory = new JustPlaced({ nowMs: () => 0 })) {
  const facts = { binding, clusters, options: {}, now };
  const { binding: written, decision } = placeBinding(facts);
  if (decision !== undefined) memory.note(facts, written, decision);
  return { memory, written };
}

const dynamic = { dynamicWeight: "AvailableReplicas" as const };
const placements: readonly Placement[] = [
  {},
  { clusterAffinity: { clusterNames: ["m2", "m3"] } },
  { spreadConstraints: [{ spreadByField: "cluster", minGroups: 1, maxGroups: 2 }] },
  { replicaScheduling: { replicaSchedulingType: "Duplicated" } },
  { replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Weighted" } },
  { replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" } },
  {
    replicaScheduling: {
      replicaSchedulingType: "Divided",
      replicaDivisionPreference: "Weighted",
      weightPreference: dynamic,
    },
  },
  {
    clusterAffinities: [
      { affinityName: "small", clusterNames: ["m1"] },
      { affinityName: "large", clusterNames: ["m3", "m4"] },
    ],
    replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" },
  },
];

test("what is remembered as placed is what another cycle would leave as it is", () => {
  const target = fc.record({ name: fc.constantFrom(...names, "gone"), replicas: fc.integer({ min: 0, max: 9 }) });
  const targets = fc.uniqueArray(target, { selector: ({ name }) => name });
  const unfit: Condition = {
    ...{ type: "Scheduled", status: "False", reason: "NoClusterFit", message: "" },
    lastTransitionTime: now,
  };
  const sketch = fc.record({
    replicas: fc.integer({ min: 0, max: 12 }),
    clusters: targets,
    more: fc.constantFrom({}, { rescheduleTriggeredAt: "2026-11-16T00:00:00Z" }),
    conditions: fc.constantFrom<Condition[]>([], [unfit]),
  });
  fc.assert(
    fc.property(fc.constantFrom(...placements), sketch, (placement, given) => {
      const { memory, written } = placed(bindingOf(placement, given));
      if (!memory.has(written, clusters)) return;
      const facts = { binding: written, clusters, options: {}, now: "2026-11-16T00:00:01Z" };
      expect(isUnsaid(written, decidePlacing(facts))).toBe(true);
      expect(unsaidStatus(facts, memory)).toEqual(unsaidStatus(facts));
    }),
    { numRuns: 1_000 },
  );
});

test("it is looked at again when anything has changed that a cycle goes by, or when it was said", () => {
  const { memory, written } = placed(bindingOf({ clusterAffinity: { clusterNames: ["m2"] } }));
  expect(memory.has(written, clusters)).toBe(true);
  expect(memory.has(written, takeSnapshot([]))).toBe(false);
  expect(memory.has(cloneJson(written), clusters)).toBe(true); // as it comes back from a server
  expect(memory.has({ ...written, spec: { ...written.spec, replicas: 5 } }, clusters)).toBe(false);
  expect(memory.has({ ...written, metadata: { ...written.metadata, name: "other" } }, clusters)).toBe(false);
  expect(memory.has({ ...written, metadata: { ...written.metadata, annotations: {} } }, clusters)).toBe(false);
  expect(memory.has({ ...written, status: { schedulerObservedGeneration: 1 } }, clusters)).toBe(false);
  expect(memory.has({ ...written, status: { schedulerObservedGeneration: 2, lastScheduledTime: now } }, clusters)).toBe(
    false,
  );
});

test("what found no place is not taken for placed", () => {
  const { memory, written } = placed(bindingOf({ clusterAffinity: { clusterNames: ["elsewhere"] } }));
  expect(memory.has(written, clusters)).toBe(false);
});
