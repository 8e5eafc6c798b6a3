import fc from "fast-check";
import { expect, test } from "vitest";
import type { Taint } from "#api/core/taint.ts";
import type { ClusterTaintPolicy } from "#api/policy/cluster-taint-policy.ts";
import { sketchCluster } from "#test/world/scheduling-sketch.ts";
import { policyTaints } from "./policy-taints.ts";

type Spec = ClusterTaintPolicy["spec"];
const broken = { key: "broken", effect: "NoExecute" };
const notReady = [{ conditionType: "Ready", operator: "NotIn", statusValues: ["True"] }];
const isReady = [{ conditionType: "Ready", operator: "In", statusValues: ["True"] }];

const clusterThatIs = (ready: string | undefined, taints: readonly Taint[] = []) =>
  sketchCluster({
    name: "m1",
    spec: { taints, provider: "p" },
    status:
      ready === undefined
        ? {}
        : { conditions: [{ type: "Ready", status: ready as "True", reason: "", message: "", lastTransitionTime: "" }] },
  });
const policyOf = (spec: Spec, age = 0) =>
  ({ metadata: { name: `p${age}`, creationTimestamp: `2026-01-0${9 - age}` }, spec }) as unknown as ClusterTaintPolicy;

interface Row {
  readonly ready?: string;
  readonly has?: readonly Taint[];
  readonly policies: readonly Spec[];
  readonly expect: readonly Taint[];
}

const rows: Readonly<Record<string, Row>> = {
  "nobody says anything": { ready: "False", policies: [], expect: [] },
  "put on when the conditions hold": {
    ready: "False",
    policies: [{ addOnConditions: notReady, taints: [broken] }],
    expect: [{ ...broken, timeAdded: "now" }],
  },
  "not put on when they do not": {
    ready: "True",
    policies: [{ addOnConditions: notReady, taints: [broken] }],
    expect: [],
  },
  "what the cluster does not say holds for nobody": {
    policies: [{ addOnConditions: notReady, taints: [broken] }],
    expect: [],
  },
  "no conditions never hold": { ready: "False", policies: [{ addOnConditions: [], taints: [broken] }], expect: [] },
  "all conditions must hold": {
    ready: "False",
    policies: [{ addOnConditions: [...notReady, ...isReady], taints: [broken] }],
    expect: [],
  },
  "once is enough, and the time stays": {
    ready: "False",
    has: [{ ...broken, timeAdded: "before", value: "mine" }],
    policies: [{ addOnConditions: notReady, taints: [broken] }],
    expect: [{ ...broken, timeAdded: "before", value: "mine" }],
  },
  "taken off when its conditions hold, others' stay": {
    ready: "True",
    has: [
      { ...broken, timeAdded: "before" },
      { key: "other", effect: "NoExecute", timeAdded: "before" },
    ],
    policies: [{ removeOnConditions: isReady, taints: [broken] }],
    expect: [{ key: "other", effect: "NoExecute", timeAdded: "before" }],
  },
  "neither: it stays until someone takes it off": {
    ready: "True",
    has: [{ ...broken, timeAdded: "before" }],
    policies: [{ addOnConditions: notReady, taints: [broken] }],
    expect: [{ ...broken, timeAdded: "before" }],
  },
  "both at once: it is taken off": {
    ready: "False",
    policies: [{ addOnConditions: notReady, removeOnConditions: notReady, taints: [broken] }],
    expect: [],
  },
  "another cluster is meant": {
    ready: "False",
    policies: [{ targetClusters: { clusterNames: ["m2"] }, addOnConditions: notReady, taints: [broken] }],
    expect: [],
  },
  "this one is meant": {
    ready: "Unknown",
    policies: [
      {
        targetClusters: { fieldSelector: { matchExpressions: [{ key: "provider", operator: "In", values: ["p"] }] } },
        addOnConditions: notReady,
        taints: [broken],
      },
    ],
    expect: [{ ...broken, timeAdded: "now" }],
  },
};

test.each(Object.entries(rows))("%s", (_, { ready, has = [], policies, expect: expected }) => {
  const cluster = clusterThatIs(ready, has);
  const all = policies.map((spec) => policyOf(spec));
  expect(policyTaints({ cluster, taints: has, policies: all, now: "now" })).toEqual(expected);
});

test("whatever policies say, saying it again changes nothing", () => {
  const condition = fc.constantFrom(isReady, notReady, []);
  const taints = fc.uniqueArray(fc.constantFrom(broken, { key: "slow", effect: "NoExecute" }), { minLength: 1 });
  const spec = fc.record({ addOnConditions: condition, removeOnConditions: condition, taints });
  const ready = fc.constantFrom("True", "False");
  fc.assert(
    fc.property(fc.array(spec, { maxLength: 4 }), ready, taints, (specs, status, has) => {
      const policies = specs.map((each, age) => policyOf(each, age));
      const first = has.map((taint) => ({ ...taint, timeAdded: "before" }));
      const once = policyTaints({ cluster: clusterThatIs(status, first), taints: first, policies, now: "t1" });
      const twice = policyTaints({ cluster: clusterThatIs(status, once), taints: once, policies, now: "t2" });
      expect(new Set(twice)).toEqual(new Set(once));
      expect(twice).toHaveLength(once.length);
    }),
  );
});
