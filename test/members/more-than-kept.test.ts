import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, policy, to } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

const names = ["web", "api", "job"];

test("what a member has beyond what is kept in memory is reported, repaired and deleted like the rest", async () => {
  const pipeline = { maxManaged: 1 };
  await using world = await World.start({
    members: ["m1"],
    pipeline,
    launch: (needs) => RoughFleet.launch(needs),
  });
  await world.apply(policy("all", to("m1")));
  for (const name of names) await world.apply(deployment(name, 2, "nginx:1"));
  await world.rest();
  const ready = () => names.map((name) => world.get(`deployments/shop/${name}`)?.["status"]?.readyReplicas);
  expect(ready()).toEqual([2, 2, 2]);

  for (const name of names) await world.member("m1").patch(`deployments/shop/${name}`, { spec: { replicas: 5 } });
  await world.rest();
  const sent = () => names.map((name) => world.member("m1").get(`deployments/shop/${name}`)?.["spec"].replicas);
  expect(sent()).toEqual([2, 2, 2]);

  for (const name of names) await world.member("m1").delete(`deployments/shop/${name}`);
  await world.rest();
  expect(sent()).toEqual([2, 2, 2]);
  expect(ready()).toEqual([2, 2, 2]);

  for (const name of names) await world.delete(`deployments/shop/${name}`);
  await world.rest();
  expect(
    world
      .member("m1")
      .list("deployments")
      .filter(({ metadata }: Fields) => metadata.namespace === "shop"),
  ).toEqual([]);
});
