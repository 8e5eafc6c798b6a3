import { afterEach, describe, expect, test } from "vitest";
import { deployment, divided, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

const web = "deployments/shop/web";
const replicasIn = (fleet: World) =>
  Object.fromEntries(["m1", "m2", "m3"].map((name) => [name, fleet.member(name).get(web)?.["spec"].replicas]));

const rebalance = (name: string, more = "") => `
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: { name: ${name} }
spec:
  workloads:
    - { apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web }
    - { apiVersion: apps/v1, kind: Deployment, namespace: shop, name: missing }
  ${more}
`;

/** Six replicas in m2 and m3; m1 was cordoned when they were placed, and is back. */
async function lopsided(): Promise<World> {
  world = await World.start();
  await world.patch("clusters/m1", {
    spec: { taints: [{ key: "cluster.karmada.io/unschedulable", effect: "NoSchedule" }] },
  });
  await world.apply(policy("split", divided));
  await world.apply(deployment("web", 6));
  await world.settle();
  await world.patch("clusters/m1", { spec: { taints: null } });
  await world.settle();
  return world;
}

describe("a WorkloadRebalancer", () => {
  test("has a workload divided afresh, which nothing else would have done", async () => {
    const fleet = await lopsided();
    expect(replicasIn(fleet)).toEqual({ m1: undefined, m2: 3, m3: 3 });
    await fleet.apply(rebalance("now"));
    await fleet.settle();
    expect(replicasIn(fleet)).toEqual({ m1: 2, m2: 2, m3: 2 });
    const rebalancer = fleet.get("workloadrebalancers/now");
    expect(rebalancer?.["status"]).toMatchObject({
      observedGeneration: 1,
      observedWorkloads: [
        { workload: { name: "missing" }, result: "Failed", reason: "ReferencedBindingNotFound" },
        { workload: { name: "web" }, result: "Successful" },
      ],
    });
    expect(rebalancer?.["status"].finishTime).toBeDefined();
    expect(fleet.get("resourcebindings/shop/web-deployment")?.["spec"].rescheduleTriggeredAt).toBe(
      rebalancer?.["metadata"].creationTimestamp,
    );
  });

  test("is done once: it writes nothing more, and stays", async () => {
    const fleet = await lopsided();
    await fleet.apply(rebalance("now"));
    await fleet.settle();
    await fleet.timePasses(30); // the clusters' next report of what is taken
    const before = fleet.revision;
    await fleet.timePasses(600);
    expect(fleet.revision).toBe(before);
  });

  test("goes by itself when its time to live is over", async () => {
    const fleet = await lopsided();
    await fleet.apply(rebalance("now", "ttlSecondsAfterFinished: 60"));
    await fleet.settle();
    await fleet.timePasses(50);
    expect(fleet.get("workloadrebalancers/now")).toBeDefined();
    await fleet.timePasses(11);
    expect(fleet.get("workloadrebalancers/now")).toBeUndefined();
  });
});
