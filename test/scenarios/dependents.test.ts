import { afterEach, describe, expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import type { PipelineOptions } from "#app/pipeline.ts";
import {
  ingress,
  mounting,
  placesOf,
  policyFor,
  type Scope,
  scopes,
  service,
} from "#test/world/dependency-manifests.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { World } from "#test/world/world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

/** A world where web runs in m1 and m2, and api in m3. */
async function begin(scope: Scope, pipeline: Partial<PipelineOptions> = {}): Promise<World> {
  world = await World.start({ pipeline, launch: (needs) => RoughFleet.launch(needs) });
  await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
  await world.apply(policyFor(scope, { of: "web", clusters: ["m1", "m2"] }));
  await world.apply(policyFor(scope, { of: "api", clusters: ["m3"] }));
  await world.apply(mounting("web", {}));
  await world.apply(mounting("api", {}));
  await world.settle();
  return world;
}

const front = "services/shop/front";
const edge = "ingresses/shop/edge";

describe.each(scopes)("ruling 17, with a %s", (scope) => {
  test("a Service that selects the pods follows them, and an Ingress to it", async () => {
    const fleet = await begin(scope);
    await fleet.apply(ingress("edge", "front"));
    await fleet.settle();
    expect(placesOf(fleet, edge)).toEqual([]);
    await fleet.apply(service("front", { app: "web" }));
    await fleet.settle();
    expect(placesOf(fleet, front)).toEqual(["m1", "m2"]);
    expect(placesOf(fleet, edge)).toEqual(["m1", "m2"]);
    expect(fleet.get("resourcebindings/shop/front-service")?.["spec"].requiredBy).toMatchObject([
      { namespace: "shop", name: "web-deployment", clusters: [{ name: "m1" }, { name: "m2" }] },
    ]);
  });

  test("they leave when they no longer belong together", async () => {
    const fleet = await begin(scope);
    await fleet.apply(service("front", { app: "web" }));
    await fleet.apply(ingress("edge", "front"));
    await fleet.settle();
    await fleet.apply(service("front", { app: "api" }));
    await fleet.settle();
    expect([placesOf(fleet, front), placesOf(fleet, edge)]).toEqual([["m3"], ["m3"]]);
    await fleet.apply(ingress("edge", "other"));
    await fleet.settle();
    expect([placesOf(fleet, front), placesOf(fleet, edge)]).toEqual([["m3"], []]);
    await fleet.delete(front);
    await fleet.settle();
    expect(placesOf(fleet, front)).toEqual([]);
    expect(fleet.get(edge)).toBeDefined();
  });

  test("a Service of several workloads is where any of them is, and moves along", async () => {
    const fleet = await begin(scope);
    await fleet.apply(service("front", { tier: "web" }));
    await fleet.settle();
    expect(placesOf(fleet, front)).toEqual(["m1", "m2", "m3"]);
    await fleet.apply(policyFor(scope, { of: "web", clusters: ["m3"] }));
    await fleet.settle();
    expect(placesOf(fleet, front)).toEqual(["m3"]);
  });

  test("the gate PropagateDependents is separate", async () => {
    const fleet = await begin(scope, { gates: gatesWith({ PropagateDependents: false }) });
    await fleet.apply(service("front", { app: "web" }));
    await fleet.settle();
    expect(placesOf(fleet, front)).toEqual([]);
  });
});

test("a Service that concerns one workload costs nothing for the others", async () => {
  const fleet = await begin("PropagationPolicy");
  const { written } = fleet.fleet as RoughFleet; // as launched
  written.splice(0);
  await fleet.apply(service("front", { app: "web" }));
  await fleet.apply(service("nobody", { app: "nobody" }));
  await fleet.settle();
  const bindings = written.filter(({ resource }) => resource === "resourcebindings");
  expect(bindings.map(({ verb, name }) => `${verb} ${name}`)).toEqual(["patch web-deployment", "create front-service"]);
});
