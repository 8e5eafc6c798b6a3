import { expect, test } from "vitest";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

const web = "deployments/shop/web";

async function start() {
  const world = await World.start({ members: ["m1", "m2"], launch: (needs) => RoughFleet.launch(needs) });
  return { world, fleet: world.fleet as RoughFleet }; // as launched
}

const foreign = (labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "shop", name: "web", labels },
  spec: {
    replicas: 9,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "own", image: "own:1" }] } },
  },
});

test("SEC-21: what somebody made anew between our look and our deletion is not deleted", async () => {
  const { world, fleet } = await start();
  await using _ = world;
  await world.apply(policy("all"));
  await world.apply(deployment("web"));
  await world.settle();
  const member = world.member("m1");
  let made: Promise<void> | undefined;
  fleet.weather = ({ cluster, call }) => {
    if (cluster !== "m1" || call.verb !== "delete" || made !== undefined) return undefined;
    // as if it had come in between: the deletion is told to try again, and carries what it had seen
    made = member.delete(web).then(() => member.create(foreign()));
    return { kind: "refused", error: new Error("the connection was reset") };
  };
  await world.delete(web);
  await world.rest();
  expect(made).toBeDefined();
  expect(member.get(web)?.["spec"].replicas).toBe(9);
  expect(world.member("m2").get(web)).toBeUndefined();
  expect(world.list("works").filter(({ metadata }) => metadata.name.startsWith("web-"))).toEqual([]);
});

test("SEC-21: a deletion names the very object that was seen", async () => {
  const { world, fleet } = await start();
  await using _ = world;
  await world.apply(policy("all"));
  await world.apply(deployment("web"));
  await world.settle();
  const uid = world.member("m1").get(web)?.["metadata"].uid;
  const asked: unknown[] = [];
  fleet.weather = ({ cluster, call }) => {
    if (cluster === "m1" && call.verb === "delete" && call.path.name === "web") asked.push(call.options.deletion);
    return undefined;
  };
  await world.delete(web);
  await world.settle();
  expect(asked).toMatchObject([{ preconditions: { uid } }]);
});

test("SEC-21: a member's own object of that name is neither changed nor deleted", async () => {
  const { world } = await start();
  await using _ = world;
  const member = world.member("m1");
  await member.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  await member.create(foreign({ team: "own" }));
  await world.settle();
  const before = member.get(web)?.["metadata"];
  await world.apply(policy("all"));
  await world.apply(deployment("web"));
  await world.rest();
  expect(world.member("m2").get(web)?.["spec"].replicas).toBe(3);
  await world.delete(web);
  await world.rest();
  expect(member.get(web)?.["metadata"]).toMatchObject({ uid: before.uid, generation: before.generation });
  expect(member.get(web)?.["metadata"].labels).toEqual({ team: "own" });
});
