import { expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { gatedFeatures } from "./gated-features.ts";

const policy = (spec: object) => ({ spec }) as unknown as Policy; // what is judged of one
const rows = [
  ["spec.preemption", "PropagationPolicyPreemption", { preemption: "Always" }, { preemption: "Never" }],
  ["spec.propagateDeps", "PropagateDeps", { propagateDeps: true }, { propagateDeps: false }],
  ["spec.failover", "Failover", { failover: { application: {} } }, { failover: {} }],
  ["spec.failover", "Failover", { failover: { cluster: {} } }, {}],
  ["spec.schedulePriority", "PriorityBasedScheduling", { schedulePriority: { priorityClassName: "a" } }, {}],
] as const;

test.each(rows)("%s is said to have no effect while %s is off, and only then", (field, gate, used, unused) => {
  const text = `${field} has no effect: the controllers run with feature gate ${gate} off`;
  expect(gatedFeatures(policy(used), gatesWith({ [gate]: false }))).toEqual([text]);
  expect(gatedFeatures(policy(used), gatesWith({ [gate]: true }))).toEqual([]);
  expect(gatedFeatures(policy(unused), gatesWith({ [gate]: false }))).toEqual([]);
});
