import fc from "fast-check";
import { expect, test } from "vitest";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import { sketchBinding } from "#test/world/scheduling-sketch.ts";
import { withEvictions } from "./evicted-spec.ts";

const name = fc.constantFrom("m1", "m2", "m3", "m4");
const task = (producer: string) =>
  fc.record({ fromCluster: name, reason: fc.constant("TaintUntolerated"), producer: fc.constant(producer) });
const names = fc.uniqueArray(name);

test("tasks are added, never lost or doubled; what is left is no target; nobody else is touched", () => {
  const tasksOf = (producer: string) => fc.uniqueArray(task(producer), { selector: ({ fromCluster }) => fromCluster });
  fc.assert(
    fc.property(names, tasksOf("others"), tasksOf("ours"), (on, others, ours) => {
      const { spec } = sketchBinding({
        spec: { clusters: on.map((each) => ({ name: each, replicas: 1 })), gracefulEvictionTasks: others },
      });
      const next = withEvictions(spec, ours);
      const tasks = next.gracefulEvictionTasks ?? [];
      const left = ours.map(({ fromCluster }) => fromCluster);
      expect(tasks.slice(0, others.length)).toEqual(others);
      expect(new Set(tasks.map(({ fromCluster }) => fromCluster)).size).toBe(tasks.length);
      expect(tasks.map(({ fromCluster }) => fromCluster)).toEqual(expect.arrayContaining(left));
      const targets = (next.clusters ?? []).map((each) => each.name);
      expect(targets).toEqual(on.filter((each) => !left.includes(each)));
      expect("clusters" in next, "not scheduled is absent").toBe(targets.length > 0);
      expect(withEvictions(next, ours), "twice is once").toEqual(next);
    }),
  );
});

test("whatever two controllers evict, in either order, both find their tasks", () => {
  const tasksOf = (producer: string) =>
    fc.uniqueArray(task(producer), { minLength: 1, selector: ({ fromCluster }) => fromCluster });
  fc.assert(
    fc.property(names, tasksOf("a"), tasksOf("b"), (on, a, b) => {
      const { spec } = sketchBinding({ spec: { clusters: on.map((each) => ({ name: each })) } });
      const left = (each: BindingSpec) =>
        (each.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster).toSorted();
      const [one, other] = [withEvictions(withEvictions(spec, a), b), withEvictions(withEvictions(spec, b), a)];
      expect(left(one)).toEqual(left(other));
      expect(one.clusters).toEqual(other.clusters);
    }),
  );
});
