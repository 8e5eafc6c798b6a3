import { expect, test } from "vitest";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

async function start() {
  const world = await World.start({ members: ["m1", "m2"], launch: (needs) => RoughFleet.launch(needs) });
  const fleet = world.fleet as RoughFleet; // as launched
  await world.apply(policy("all"));
  await world.apply(deployment("web"));
  await world.settle();
  return { world, fleet };
}

const conditionOf = (world: World, cluster: string, wanted: string) =>
  world.get(`clusters/${cluster}`)?.["status"].conditions.find(({ type }: { type: string }) => type === wanted);

test("a cluster's id is recorded when it joins", async () => {
  const { world } = await start();
  await using _ = world;
  expect(world.get("clusters/m1")?.["spec"].id).toBe(
    world.member("m1").get("namespaces/kube-system")?.["metadata"].uid,
  );
});

test("an id that nobody gave is recorded at the first contact, once", async () => {
  const { world, fleet } = await start();
  await using _ = world;
  const uid = world.get("clusters/m1")?.["spec"].id;
  await world.patch("clusters/m1", { spec: { id: null } });
  fleet.written.splice(0);
  await world.timePasses(60);
  expect(world.get("clusters/m1")?.["spec"].id).toBe(uid);
  const patches = fleet.written.filter(({ verb, resource }) => verb === "patch" && resource === "clusters");
  expect(patches).toHaveLength(1);
});

test("SEC-20: another cluster behind the endpoint gets no write, and is not taken for the one that joined", async () => {
  const { world, fleet } = await start();
  await using _ = world;
  const impostor = await fleet.swap("m1");
  fleet.written.splice(0);
  await world.patch("deployments/shop/web", { spec: { replicas: 5 } });
  await world.apply(deployment("other"));
  await world.timePasses(120);
  fleet.restartControllers();
  await world.timePasses(120);
  await world.delete("deployments/shop/other");
  await world.timePasses(120);
  expect(fleet.written.filter(({ cluster }) => cluster === "m1")).toEqual([]);
  expect(impostor.server.core.store.list({ prefix: "apps/deployments/" })).toMatchObject({ entries: [] });
  expect(world.member("m2").get("deployments/shop/web")?.["spec"].replicas).toBe(5);
  expect(conditionOf(world, "m1", "ClusterIDMismatch")).toMatchObject({ status: "True" });
  expect(conditionOf(world, "m1", "Ready")).toMatchObject({ status: "False", reason: "ClusterIDMismatch" });
  expect(conditionOf(world, "m2", "ClusterIDMismatch")).toBeUndefined();
});

test("SEC-20: who says that the other cluster is meant gets everything there", async () => {
  const { world, fleet } = await start();
  await using _ = world;
  const impostor = await fleet.swap("m1");
  await world.timePasses(60);
  const uid = impostor.server.core.store.get("/namespaces/kube-system")?.value.metadata.uid;
  expect(conditionOf(world, "m1", "ClusterIDMismatch").message).toContain(uid);
  await world.patch("clusters/m1", { spec: { id: uid } });
  await world.timePasses(120);
  expect(impostor.server.core.store.get("apps/deployments/shop/web")?.value.metadata.name).toBe("web");
  expect(conditionOf(world, "m1", "ClusterIDMismatch")).toBeUndefined();
  expect(conditionOf(world, "m1", "Ready")).toMatchObject({ status: "True" });
});

test("SEC-20: a cluster that was swapped leaves without a write to the other", async () => {
  const { world, fleet } = await start();
  await using _ = world;
  await fleet.swap("m1");
  await world.timePasses(60);
  fleet.written.splice(0);
  await world.delete("clusters/m1");
  await world.timePasses(120);
  expect(world.get("clusters/m1")).toBeUndefined();
  expect(fleet.written.filter(({ cluster }) => cluster === "m1")).toEqual([]);
});
