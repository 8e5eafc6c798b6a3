import { expect, test } from "vitest";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

test("controllers that die before a template has its status give it one, though templates are the last they hear of", async () => {
  await using world = await World.start({
    launch: (needs) =>
      RoughFleet.launch(needs, { slow: ({ verb, path }) => verb === "watch" && path.resource === "deployments" }),
  });
  const fleet = world.fleet as RoughFleet; // as launched
  fleet.weather = ({ cluster, call: { verb, path } }) =>
    cluster === "flotilla" && verb === "update" && path.resource === "deployments" && fleet.crashes === 0
      ? { kind: "crash before" }
      : undefined;
  await world.apply(policy("all"));
  await world.apply(deployment("web"));
  await world.rest();
  expect(fleet.crashes).toBe(1);
  expect(world.get("deployments/shop/web")?.["status"]).toMatchObject({ readyReplicas: 9 });
});
