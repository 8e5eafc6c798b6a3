import { expect, test } from "vitest";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

test("SEC-48: a label that flips at 100 Hz costs each member one write a second, and ends as it was set last", async () => {
  await using world = await World.start({ members: ["m1", "m2"], launch: (needs) => RoughFleet.launch(needs) });
  const fleet = world.fleet as RoughFleet; // as launched
  await world.apply(policy("all"));
  await world.apply(deployment("web"));
  await world.settle();
  fleet.written.splice(0);
  const seconds = 10;
  for (let flip = 1; flip <= seconds * 100; flip++) {
    await world.patch("deployments/shop/web", { metadata: { labels: { flip: String(flip) } } });
    await world.clock.advance(10);
  }
  for (const member of ["m1", "m2"]) {
    const writes = fleet.written.filter(({ cluster, name }) => cluster === member && name === "web");
    expect(writes.length).toBeGreaterThanOrEqual(seconds - 1);
    expect(writes.length).toBeLessThanOrEqual(seconds + 5);
  }
  await world.settle();
  for (const member of ["m1", "m2"])
    expect(world.member(member).get("deployments/shop/web")?.["metadata"].labels.flip).toBe(String(seconds * 100));
}, 60_000);
