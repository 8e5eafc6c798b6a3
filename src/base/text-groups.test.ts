import fc from "fast-check";
import { expect, test } from "vitest";
import { TextGroups } from "./text-groups.ts";

test("whatever is added and deleted, groups are as sets would be", () => {
  const few = fc.constantFrom("a", "b", "c");
  const steps = fc.array(fc.record({ group: few, member: few, isAdded: fc.boolean() }));
  fc.assert(
    fc.property(steps, (taken) => {
      const groups = new TextGroups();
      const sets = new Map(["a", "b", "c"].map((name) => [name, new Set<string>()]));
      for (const { group, member, isAdded } of taken) {
        if (isAdded) groups.add(group, member);
        else groups.delete(group, member);
        if (isAdded) sets.get(group)?.add(member);
        else sets.get(group)?.delete(member);
      }
      for (const [name, set] of sets) {
        expect([...groups.of(name)]).toEqual([...set]);
        expect(groups.has(name)).toBe(set.size > 0);
      }
    }),
  );
});
