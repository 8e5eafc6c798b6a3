import { expect, test } from "vitest";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { unbuiltFeatures } from "./unbuilt-features.ts";

const policy = (spec: object) => ({ spec }) as unknown as Policy;

test("what has no effect yet is named, the rest is not", () => {
  expect(unbuiltFeatures(policy({ propagateDeps: true, failover: {} }))).toHaveLength(1);
  expect(
    unbuiltFeatures(policy({ propagateDeps: true, preemption: "Always", suspension: { dispatching: true } })),
  ).toEqual([]);
});
