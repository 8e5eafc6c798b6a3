import { expect, test } from "vitest";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

test("a fleet that starts again with nothing to do writes nothing, in no cluster", async () => {
  await using world = await World.start({ members: ["m1", "m2"], durable: true });
  await world.apply(policy("all"));
  await world.apply(deployment("web"));
  await world.settle();
  await world.timePasses(60);
  const state = () =>
    [world.fleet.controlPlane, ...world.fleet.members].map(({ name, url, server }) => ({
      name,
      url,
      revision: server.core.store.revision,
    }));
  const before = state();
  await world.restart();
  await world.timePasses(60);
  expect(state()).toEqual(before);
});
