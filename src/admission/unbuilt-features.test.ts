import { expect, test } from "vitest";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { unbuiltFeatures } from "./unbuilt-features.ts";

const policy = (spec: object) => ({ spec }) as unknown as Policy;

test("what has no effect yet is named, the rest is not", () => {
  const statePreservation = { rules: [{ aliasLabelName: "a", jsonPath: "{ .b }" }] };
  expect(unbuiltFeatures(policy({ failover: { application: { statePreservation }, cluster: {} } }))).toEqual([
    "spec.failover.application.statePreservation has no effect: no state is handed over to the new cluster",
  ]);
  expect(unbuiltFeatures(policy({ failover: { cluster: { statePreservation } } }))).toHaveLength(1);
  const built = { propagateDeps: true, preemption: "Always", failover: { application: { purgeMode: "Directly" } } };
  expect(unbuiltFeatures(policy(built))).toEqual([]);
});
