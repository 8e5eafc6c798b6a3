import { expect, test } from "vitest";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

test("a fleet that starts again with nothing to do writes nothing, in no cluster", async () => {
  await using world = await World.start({ members: ["m1", "m2"], durable: true });
  await world.apply(policy("all"));
  await world.apply(deployment("web"));
  await world.settle();
  const state = () =>
    [world.fleet.controlPlane, ...world.fleet.members].map(({ name, url, server }) => ({
      name,
      url,
      revision: server.core.store.revision,
    }));
  const before = await atRest(world, state);
  await world.restart();
  expect(await atRest(world, state)).toEqual(before);
});

/** Time passes, and the disk, whose time is real, has nothing more to say. */
async function atRest<State>(world: World, state: () => State): Promise<State> {
  for (let quiet = 0, last = ""; quiet < 4; ) {
    await world.timePasses(15);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = JSON.stringify(state());
    quiet = now === last ? quiet + 1 : 0;
    last = now;
  }
  return state();
}
