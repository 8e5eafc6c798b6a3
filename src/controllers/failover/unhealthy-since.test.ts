import { expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import type { BindingSpec } from "#api/work/resource-binding.ts";
import { sketchBinding, sketchCluster } from "#test/world/scheduling-sketch.ts";
import { unhealthySince, unhealthyTargets } from "./unhealthy-since.ts";

const failover: BindingSpec["failover"] = {
  application: { decisionConditions: { tolerationSeconds: 30 }, purgeMode: "Directly" },
};
const on = (...names: readonly string[]) => names.map((name) => ({ name }));
const ready = (name: string, status: "True" | "False"): [string, Cluster] => [
  name,
  sketchCluster({
    name,
    status: { conditions: [{ type: "Ready", status, reason: "", message: "", lastTransitionTime: "" }] },
  }),
];

test("only targets count, only what they say, and only while they can be believed", () => {
  const binding = sketchBinding({
    spec: { failover, clusters: on("m1", "m2", "m3", "m4") },
    status: {
      aggregatedStatus: [
        { clusterName: "m0", health: "Unhealthy" },
        { clusterName: "m1", health: "Unhealthy" },
        { clusterName: "m2", health: "Healthy" },
        { clusterName: "m3", health: "Unknown" },
        { clusterName: "m4", health: "Unhealthy" },
      ],
    },
  });
  const clusters = new Map([ready("m1", "True"), ready("m2", "True"), ready("m3", "True"), ready("m4", "False")]);
  expect(unhealthyTargets(binding, clusters)).toEqual(["m1"]);
  const { failover: _, ...spec } = binding.spec;
  expect(unhealthyTargets({ ...binding, spec }, clusters), "nobody asked").toEqual([]);
});

test("who stays unhealthy keeps the time, who was well in between begins anew", () => {
  const first = unhealthySince(undefined, { unhealthy: ["m1", "m2"], nowMs: 1 });
  const second = unhealthySince(first, { unhealthy: ["m2"], nowMs: 5 });
  const third = unhealthySince(second, { unhealthy: ["m1", "m2"], nowMs: 9 });
  expect([...third]).toEqual([
    ["m1", 9],
    ["m2", 1],
  ]);
});
