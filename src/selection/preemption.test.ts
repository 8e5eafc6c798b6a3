import { expect, test } from "vitest";
import { policyOf } from "#test/samples/policies.ts";
import { decidePreemption, wokenByPriorityDrop } from "./preemption.ts";

const near = (name: string, priority: number) =>
  policyOf({ name, priority, namespace: "default", preemption: "Always" });
const wide = (name: string, priority: number) => policyOf({ name, priority, preemption: "Always" });

test.each([
  ["a higher priority takes from a lower one of the same scope", near("a", 3), near("b", 2), true],
  ["the same among cluster-scoped policies", wide("a", 3), wide("b", 2), true],
  ["equal priorities take nothing from each other", near("a", 2), near("b", 2), false],
  ["a lower priority takes nothing", near("a", 1), near("b", 2), false],
  ["a policy of the namespace takes from a cluster-scoped one of any priority", near("a", 0), wide("b", 100), true],
  ["a cluster-scoped policy never takes from one of a namespace", wide("a", 1000), near("b", 0), false],
  ["a policy that never preempts takes nothing", policyOf({ name: "a", priority: 9 }), wide("b", 0), false],
  ["a policy does not take from itself", near("a", 3), near("a", 2), false],
])("%s", (_name, challenger, holder, preempts) => {
  expect(decidePreemption(challenger, holder).preempts).toBe(preempts);
});

test("a drop wakes those above the new priority up to the old one, the highest first", () => {
  const peers = [
    near("at-old", 5),
    near("between", 4),
    near("at-new", 3),
    near("above", 6),
    wide("wide", 4),
    near("also", 4),
  ];
  const never = policyOf({ name: "never", priority: 4, namespace: "default" });
  const woken = wokenByPriorityDrop([...peers, never], { policy: near("self", 3), from: 5 });
  expect(woken.map(({ metadata }) => metadata.name)).toEqual(["at-old", "also", "between"]);
});
