import { afterEach, describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { refusal } from "#test/world/rough-road.ts";
import { deployment, policy, to } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

const web = "deployments/shop/web";
const image = (from: World, member: string) => from.member(member).get(web)?.["spec"].template.spec.containers[0].image;
const condition = (object: Fields | undefined, type: string) =>
  object?.["status"]?.conditions?.find((each: Fields) => each["type"] === type);
const taintsOf = (from: World, cluster: string) =>
  (from.get(`clusters/${cluster}`)?.["spec"].taints ?? []).map(({ key, effect }: Fields) => `${key}:${effect}`);

/** One Deployment on three members, at rest. */
async function running(): Promise<{ readonly world: World; readonly fleet: RoughFleet }> {
  world = await World.start({ launch: (needs) => RoughFleet.launch(needs) });
  await world.apply(policy("all", to("m1", "m2", "m3")));
  await world.apply(deployment("web"));
  await world.settle();
  return { world, fleet: world.fleet as RoughFleet }; // as launched
}

function goDown(fleet: RoughFleet, member: string): void {
  fleet.down.add(member);
  fleet.cut(member);
}

/** Whatever was taken away from members, and should not have been. */
const deletions = ({ written }: RoughFleet) =>
  written.filter(({ verb, cluster }) => verb === "delete" && cluster !== "flotilla");

describe("a member that cannot be reached", () => {
  test("gets a namespace again that was deleted and made anew meanwhile, with what belongs there", async () => {
    const { world, fleet } = await running();
    await world.apply(policy("all", to("m1", "m3"))); // a namespace does not go before what is in it
    await world.settle();
    goDown(fleet, "m2");
    await world.delete("namespaces/shop");
    await world.timePasses(120);
    await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
    await world.apply(policy("all", to("m1", "m2", "m3")));
    await world.apply(deployment("web"));
    await world.timePasses(120);
    expect([image(world, "m1"), image(world, "m3")]).toEqual(["nginx:1", "nginx:1"]);
    fleet.down.clear();
    await world.timePasses(600);
    expect(image(world, "m2")).toBe("nginx:1");
  });

  test("a work of a namespace that somebody deletes or changes is made anew", async () => {
    const { world } = await running();
    const [name] = world
      .list("works")
      .filter(({ metadata }) => metadata.namespace === "karmada-es-m1" && metadata.name.startsWith("shop-"))
      .map(({ metadata }) => metadata.name);
    await world.patch(`works/karmada-es-m1/${name}`, { spec: { workload: { manifests: [] } } });
    await world.settle();
    expect(world.get(`works/karmada-es-m1/${name}`)?.["spec"].workload.manifests).toHaveLength(1);
    await world.delete(`works/karmada-es-m1/${name}`);
    await world.timePasses(60);
    expect(world.get(`works/karmada-es-m1/${name}`)).toBeDefined();
    expect(world.member("m1").get("namespaces/shop")).toBeDefined();
  });

  test("is Ready until the threshold, then not, and tainted; what runs on it stays, and so does the schedule", async () => {
    const { world, fleet } = await running();
    goDown(fleet, "m2");
    await world.timePasses(20);
    expect([condition(world.get("clusters/m2"), "Ready")?.["status"], taintsOf(world, "m2")]).toEqual(["True", []]);
    await world.timePasses(40);
    expect(condition(world.get("clusters/m2"), "Ready")).toMatchObject({
      status: "False",
      reason: "ClusterNotReachable",
    });
    expect(taintsOf(world, "m2")).toEqual(["cluster.karmada.io/not-ready:NoSchedule"]);
    await world.timePasses(600);
    expect(
      world.get("resourcebindings/shop/web-deployment")?.["spec"].clusters.map(({ name }: Fields) => name),
    ).toEqual(["m1", "m2", "m3"]);
    expect([deletions(fleet), image(world, "m2")]).toEqual([[], "nginx:1"]);
  });

  test("holds up no other; what was meant for it goes out when it is back, and its taint goes", async () => {
    const { world, fleet } = await running();
    goDown(fleet, "m2");
    await world.timePasses(60);
    await world.apply(deployment("web", 3, "nginx:2"));
    await world.timePasses(5);
    expect(["m1", "m2", "m3"].map((name) => image(world, name))).toEqual(["nginx:2", "nginx:1", "nginx:2"]);
    fleet.down.clear();
    await world.rest();
    expect(["m1", "m2", "m3"].map((name) => image(world, name))).toEqual(["nginx:2", "nginx:2", "nginx:2"]);
    expect([condition(world.get("clusters/m2"), "Ready")?.["status"], taintsOf(world, "m2")]).toEqual(["True", []]);
    expect(condition(world.get("resourcebindings/shop/web-deployment"), "FullyApplied")?.["status"]).toBe("True");
  });

  test("is Ready again by the next look at it, once it is back after a minute", async () => {
    const { world, fleet } = await running();
    goDown(fleet, "m2");
    await world.timePasses(60);
    fleet.down.clear();
    await world.timePasses(11); // it is looked at every ten seconds
    expect([condition(world.get("clusters/m2"), "Ready")?.["status"], taintsOf(world, "m2")]).toEqual(["True", []]);
  });

  test("keeps a deletion waiting, and gets it when it is back", async () => {
    const { world, fleet } = await running();
    goDown(fleet, "m2");
    await world.timePasses(60);
    await world.delete(web);
    await world.timePasses(60);
    expect(["m1", "m2", "m3"].map((name) => image(world, name))).toEqual([undefined, "nginx:1", undefined]);
    fleet.down.clear();
    await world.rest();
    expect([image(world, "m2"), world.list("resourcebindings")]).toEqual([undefined, []]);
    expect(world.list("works").filter(({ metadata }) => metadata.name.startsWith("web-"))).toEqual([]);
  });

  test("that is gone for a moment only is not noticed: nothing is written in the control plane", async () => {
    const { world, fleet } = await running();
    await world.timePasses(30); // the clusters' next report of what is taken
    const before = world.revision;
    for (let i = 0; i < 5; i++) {
      goDown(fleet, "m2");
      await world.timePasses(8);
      fleet.down.clear();
      await world.timePasses(22);
    }
    expect(world.revision).toBe(before);
  });
});

describe("a server that refuses", () => {
  for (const code of [409, 429, 500, 503] as const) {
    test(`a member answers ${code} to every write for a minute: the update arrives afterwards, the others at once`, async () => {
      const { world, fleet } = await running();
      fleet.weather = ({ cluster, isWrite }) =>
        isWrite && cluster === "m2" ? { kind: "refused", error: refusal(code) } : undefined;
      await world.apply(deployment("web", 3, "nginx:2"));
      await world.timePasses(60);
      expect(["m1", "m2", "m3"].map((name) => image(world, name))).toEqual(["nginx:2", "nginx:1", "nginx:2"]);
      fleet.weather = () => undefined;
      await world.rest();
      expect(image(world, "m2")).toBe("nginx:2");
      expect(condition(world.get("resourcebindings/shop/web-deployment"), "FullyApplied")?.["status"]).toBe("True");
      expect(deletions(fleet)).toEqual([]);
    });

    test(`the control plane answers ${code} to every other write during a rollout: it ends all the same`, async () => {
      const { world, fleet } = await running();
      let count = 0;
      fleet.weather = ({ cluster, isWrite }) =>
        isWrite && cluster === "flotilla" && count++ % 2 === 0 ? { kind: "refused", error: refusal(code) } : undefined;
      await world.apply(deployment("web", 5, "nginx:2"));
      await world.apply(policy("all", to("m1", "m2")));
      await world.rest();
      expect(["m1", "m2", "m3"].map((name) => image(world, name))).toEqual(["nginx:2", "nginx:2", undefined]);
      expect(world.get(web)?.["status"]).toMatchObject({ readyReplicas: 10 });
    });
  }
});

describe("streams that break", () => {
  test("during a rollout, with history compacted away: nothing is missed, nothing is deleted", async () => {
    const { world, fleet } = await running();
    for (const next of ["nginx:2", "nginx:3", "nginx:4"]) {
      await world.apply(deployment("web", 3, next));
      for (const cluster of [fleet.controlPlane, ...fleet.members]) {
        fleet.cut(cluster.name);
        const { store } = cluster.server.core;
        await store.compact(store.revision);
      }
      await world.timePasses(1);
    }
    await world.rest();
    expect(["m1", "m2", "m3"].map((name) => image(world, name))).toEqual(["nginx:4", "nginx:4", "nginx:4"]);
    expect(deletions(fleet)).toEqual([]);
  });

  test("while a template is deleted and made anew: the copies are the new one's", async () => {
    const { world, fleet } = await running();
    fleet.weather = ({ call }) => (call.verb === "watch" ? { kind: "refused", error: refusal(503) } : undefined);
    for (const cluster of ["flotilla", "m1", "m2", "m3"]) fleet.cut(cluster);
    await world.delete(web);
    await world.timePasses(5);
    await world.apply(deployment("web", 2, "nginx:9"));
    await world.timePasses(5);
    fleet.weather = () => undefined;
    await world.rest();
    expect(["m1", "m2", "m3"].map((name) => image(world, name))).toEqual(["nginx:9", "nginx:9", "nginx:9"]);
    expect(world.get(web)?.["status"]).toMatchObject({ readyReplicas: 6 });
  });
});
