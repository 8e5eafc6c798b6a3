import { describe, expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { reconcileRequestAnnotation, releasedClustersAnnotation } from "#api/work/template-keys.ts";
import type { Work } from "#api/work/work.ts";
import { arrivalOf, stagesAsked } from "./arrival-of.ts";

interface Sketch {
  readonly targets: readonly string[];
  readonly pending: string;
  readonly released: string;
  readonly unscheduled: string;
  readonly isOld: boolean;
  readonly works: Readonly<Record<string, "well" | "ill" | "old" | "new" | "refused" | "suspended" | "scaling">>;
}

const rows: Readonly<Record<string, readonly [Partial<Sketch>, string]>> = {
  "all is well": [{ works: { a: "well" } }, "there"],
  "its policy has not acted": [{ pending: "PolicyChanged", works: { a: "well" } }, "under way: its policy to act"],
  "nobody wants it": [{ pending: "NoPolicyMatches" }, "failed: no policy matches it"],
  "the scheduler has not looked": [{ isOld: true, works: { a: "well" } }, "under way: the scheduler"],
  "no cluster fits": [{ unscheduled: "none fits" }, "under way: the scheduler, cannot be scheduled: none fits"],
  "no work yet": [{}, "under way: its work in a"],
  "the work is from before": [{ works: { a: "old" } }, "under way: its work to be made anew in a"],
  "the member has not answered": [{ works: { a: "new" } }, "under way: arrival in a"],
  "the member refuses": [{ works: { a: "refused" } }, "under way: success (exists) in a"],
  "the copy is ill": [{ works: { a: "ill" } }, "under way: health in a"],
  "the report is of other replicas": [{ works: { a: "scaling" } }, "under way: health in a"],
  "somebody suspended the cluster": [{ works: { a: "suspended" } }, "there"],
  "it has not left yet": [{ works: { a: "well", b: "well" } }, "under way: its removal from b"],
  "clusters whose turn has not come do not count": [
    { targets: ["a", "c"], released: "a", works: { a: "well", b: "old" } },
    "there",
  ],
  "the next cluster's turn": [
    { targets: ["a", "c"], released: "a,c", works: { a: "well", b: "old" } },
    "under way: its work in c",
  ],
};

describe("a change", () => {
  for (const [name, [given, expected]] of Object.entries(rows))
    test(name, () => {
      const arrival = arrivalOf(facts(given));
      const stuck = arrival.is === "under way" && arrival.stuck !== undefined ? `, ${arrival.stuck}` : "";
      const detail = { there: "", "under way": ": ", failed: ": " }[arrival.is];
      const text = arrival.is === "there" ? "" : arrival.is === "failed" ? arrival.why : arrival.waitsFor;
      expect(`${arrival.is}${detail}${text}${stuck}`).toBe(expected);
    });
});

test("how far it has been asked to go is read from the template", () => {
  const asked = (given: Partial<Sketch>) => {
    const { template, binding } = facts(given);
    return stagesAsked(template, binding, ["a", "b"]);
  };
  expect(asked({ pending: "PolicyChanged" }), "not at all").toBe(0);
  expect(asked({ pending: "PolicyTakesOver", released: "a" }), "a new change begins anew").toBe(0);
  expect(asked({ pending: "ReleasedInOrder", released: "" }), "held back everywhere").toBe(0);
  expect(asked({ pending: "ReleasedInOrder", released: "b" }), "out of order").toBe(0);
  expect(asked({ pending: "ReleasedInOrder", released: "a" })).toBe(1);
  expect(asked({ pending: "ReleasedInOrder", released: "b, a" })).toBe(2);
  expect(asked({}), "everywhere").toBe(3);
});

function facts({ targets = ["a"], pending, released, unscheduled, isOld = false, works = {} }: Partial<Sketch>) {
  const annotations = {
    [reconcileRequestAnnotation]: "now",
    ...(released !== undefined && { [releasedClustersAnnotation]: released }),
  };
  const conditions = [
    ...(pending === undefined ? [] : [{ type: "PolicyPending", status: "True", reason: pending }]),
    unscheduled === undefined
      ? { type: "Scheduled", status: "True" }
      : { type: "Scheduled", status: "False", message: unscheduled },
  ];
  const binding = {
    metadata: { name: "b", generation: 2 },
    spec: { clusters: targets.map((name) => ({ name })) },
    status: { schedulerObservedGeneration: isOld ? 1 : 2, conditions },
  };
  return {
    template: { metadata: { name: "t", annotations } } as unknown as ApiObject,
    binding: binding as unknown as Binding,
    works: new Map(Object.entries(works).map(([cluster, state]) => [cluster, workIn(state)])),
  };
}

function workIn(state: Sketch["works"][string]): Work {
  const applied = { type: "Applied", status: state === "refused" ? "False" : "True", message: "exists" };
  return {
    metadata: { name: "w", annotations: state === "old" ? {} : { [reconcileRequestAnnotation]: "now" } },
    spec: { suspendDispatching: state === "suspended", workload: { manifests: [{ spec: { replicas: 2 } }] } },
    status: {
      conditions: state === "new" ? [] : [applied],
      manifestStatuses: [
        { health: state === "ill" ? "Unhealthy" : "Healthy", status: { replicas: state === "scaling" ? 1 : 2 } },
      ],
    },
  } as unknown as Work;
}
