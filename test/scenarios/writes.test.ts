import { expect, test } from "vitest";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

/** From create to healthy status; the table in docs/performance/writes.md says what each is for. */
const budget = {
  "flotilla patch deployments": 1,
  "flotilla create resourcebindings": 1,
  "flotilla update resourcebindings/status": 1,
  "flotilla create works": 3,
  "flotilla update works/status": 3,
  "flotilla update deployments/status": 1,
  "m1 create deployments": 1,
  "m2 create deployments": 1,
  "m3 create deployments": 1,
};

test("one Deployment to three clusters costs ten writes in the control plane and one in each member", async () => {
  await using world = await World.start({ launch: (needs) => RoughFleet.launch(needs) });
  const fleet = world.fleet as RoughFleet; // as launched
  await world.apply(policy("all"));
  await world.settle();
  fleet.written.splice(0);
  await world.apply(deployment("web"));
  await world.settle();
  expect(world.get("deployments/shop/web")?.["status"]).toMatchObject({ readyReplicas: 9 });
  const counts: Record<string, number> = {};
  for (const { cluster, verb, resource } of fleet.written) {
    if (resource.startsWith("clusters")) continue; // a member's own report, whatever runs on it
    const key = `${cluster} ${verb} ${resource}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  expect(counts).toEqual(budget);
});
