import { describe, expect, test } from "vitest";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, policy, registryOverride } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

const priorityClass = (name: string, value: number) =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: ${name} }\nvalue: ${value}\n`;
const prioritized = (name: string, of: string) => ({
  selector: `name: ${of}`,
  spec: `schedulePriority: { priorityClassSource: KubePriorityClass, priorityClassName: ${name} }`,
});
const start = () => World.start({ members: ["m1"], launch: (needs) => RoughFleet.launch(needs) });
const eventsOf = (world: World, name: string) =>
  world
    .list("events")
    .filter(({ involvedObject }) => involvedObject.kind === "Deployment" && involvedObject.name === name)
    .map(({ reason, message }) => `${reason}: ${message}`);

describe("schedulePriority", () => {
  test("the binding carries the value of the class that the policy names", async () => {
    await using world = await start();
    await world.apply(priorityClass("high", 1_000));
    await world.apply(policy("p", "{}", prioritized("high", "web")));
    await world.apply(deployment("web"));
    await world.settle();
    expect(world.get("resourcebindings/shop/web-deployment")?.["spec"].schedulePriority).toEqual({ priority: 1_000 });
    expect(world.member("m1").get("deployments/shop/web")).toBeDefined();
  });

  test("while there is no such class the template waits, and says so; it is placed when the class appears", async () => {
    await using world = await start();
    await world.apply(policy("p", "{}", prioritized("high", "web")));
    await world.apply(deployment("web"));
    await world.settle();
    const quiet = world.revision;
    await world.timePasses(600);
    expect(world.revision).toBe(quiet); // nobody asks again
    expect(world.get("resourcebindings/shop/web-deployment")).toBeUndefined();
    expect(eventsOf(world, "web")).toEqual(["ApplyPolicyFailed: waiting for PriorityClass high"]);
    await world.apply(priorityClass("high", 7));
    await world.settle();
    expect(world.get("resourcebindings/shop/web-deployment")?.["spec"].schedulePriority).toEqual({ priority: 7 });
  });

  test("a class that goes leaves what is placed as it is", async () => {
    await using world = await start();
    await world.apply(priorityClass("high", 5));
    await world.apply(policy("p", "{}", prioritized("high", "web")));
    await world.apply(deployment("web"));
    await world.settle();
    await world.delete("priorityclasses/high");
    await world.settle();
    expect(world.get("resourcebindings/shop/web-deployment")?.["spec"].schedulePriority).toEqual({ priority: 5 });
    expect(world.member("m1").get("deployments/shop/web")).toBeDefined();
  });

  test("when many wait, higher priorities are placed first", async () => {
    await using world = await start();
    const fleet = world.fleet as RoughFleet; // as launched
    await world.apply(`${priorityClass("high", 1_000)}---\n${priorityClass("low", -10)}`);
    const names = Array.from({ length: 100 }, (_, index) => `app-${String(index).padStart(3, "0")}`);
    const urgent = new Set(names.slice(-5));
    await world.delete("clusters/m1");
    await world.timePasses(60);
    for (const name of names) {
      await world.apply(policy(name, "{}", prioritized(urgent.has(name) ? "high" : "low", name)));
      await world.apply(deployment(name, 1));
    }
    await world.settle();
    fleet.restartControllers();
    await world.settle();
    fleet.written.splice(0);
    const { url } = world.fleet.members[0]!;
    await world.apply(
      `apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: { name: m1 }\nspec: { syncMode: Push, apiEndpoint: "${url}" }\n`,
    );
    await world.timePasses(60);
    const placed = fleet.written
      .filter(({ verb, resource }) => verb === "update" && resource === "resourcebindings")
      .map(({ name }) => String(name).replace(/-deployment$/, ""));
    expect(placed).toHaveLength(100);
    expect(placed.slice(0, 5).toSorted()).toEqual([...urgent]);
  });
});

describe("dependentOverrides", () => {
  test("a template waits for the overrides that its policy depends on, without asking again", async () => {
    await using world = await start();
    await world.apply(policy("p", "{}", { spec: "dependentOverrides: [private]" }));
    await world.apply(deployment("web"));
    await world.settle();
    const quiet = world.revision;
    await world.timePasses(600);
    expect(world.revision).toBe(quiet);
    expect(world.get("resourcebindings/shop/web-deployment")).toBeUndefined();
    expect(eventsOf(world, "web")).toEqual(["ApplyPolicyFailed: waiting for OverridePolicy shop/private"]);
    await world.apply(registryOverride("private", { of: "web", cluster: "m1", registry: "registry.example" }));
    await world.settle();
    const copy = world.member("m1").get("deployments/shop/web");
    expect(copy?.["spec"].template.spec.containers[0].image).toBe("registry.example/nginx:1");
  });

  test("what is claimed stays propagated when such an override goes", async () => {
    await using world = await start();
    await world.apply(registryOverride("private", { of: "web", cluster: "m1", registry: "registry.example" }));
    await world.apply(policy("p", "{}", { spec: "dependentOverrides: [private]" }));
    await world.apply(deployment("web"));
    await world.settle();
    await world.delete("overridepolicies/shop/private");
    await world.patch("deployments/shop/web", { spec: { replicas: 5 } });
    await world.settle();
    expect(world.member("m1").get("deployments/shop/web")?.["spec"].replicas).toBe(5);
  });

  test("a policy can be deleted although the one that follows it still waits", async () => {
    await using world = await start();
    await world.apply(policy("a"));
    await world.apply(deployment("web"));
    await world.settle();
    await world.apply(policy("b", "{}", { spec: "dependentOverrides: [private]" }));
    await world.delete("propagationpolicies/shop/a");
    await world.settle();
    expect(world.get("propagationpolicies/shop/a")).toBeUndefined();
    expect(world.member("m1").get("deployments/shop/web")).toBeDefined();
    const labels = () => world.get("deployments/shop/web")?.["metadata"].labels;
    expect(labels()?.["propagationpolicy.karmada.io/name"]).toBeUndefined();
    await world.apply(registryOverride("private", { of: "web", cluster: "m1", registry: "registry.example" }));
    await world.settle();
    expect(labels()?.["propagationpolicy.karmada.io/name"]).toBe("b");
  });
});
