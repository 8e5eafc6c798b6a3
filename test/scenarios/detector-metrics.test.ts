import { expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import { parseExposition, sampleOf } from "#test/world/exposition.ts";
import { http } from "#test/world/http.ts";
import { deployment, policy, to } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

test("a template that a policy takes from another is counted in both metrics (ruling 16)", async () => {
  const gates = gatesWith({ PropagationPolicyPreemption: true });
  await using world = await World.start({ members: ["m1"], pipeline: { gates } });
  await world.apply(policy("low"));
  await world.apply(deployment("web"));
  await world.settle();
  const more = { selector: "name: web", spec: "priority: 5\n  preemption: Always" };
  await world.apply(policy("high", to("m1"), more));
  await world.settle();
  expect(world.get("deployments/shop/web")?.["metadata"].annotations).toMatchObject({
    "propagationpolicy.karmada.io/name": "high",
  });
  const told = parseExposition((await http(world.fleet.controlPlane, "/metrics")).text);
  expect(sampleOf(told, "policy_preemption_total", { result: "success" })).toBe(1);
  expect(sampleOf(told, "preemption_counts_total", { namespace: "shop", name: "web" })).toBe(1);
  const attempts = sampleOf(told, "policy_apply_attempts_total", { result: "success" });
  expect(attempts).toBeGreaterThanOrEqual(2);
  expect(sampleOf(told, "resource_apply_policy_duration_seconds_count", { result: "success" })).toBe(attempts);
});
