import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { dependedByLabelOf } from "#api/work/derived-names.ts";
import type { PipelineOptions } from "#app/pipeline.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import {
  configMap,
  mounting,
  placesOf,
  policyFor,
  type Scope,
  scopes,
  secret,
} from "#test/world/dependency-manifests.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { World } from "#test/world/world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

async function begin(pipeline: Partial<PipelineOptions> = {}): Promise<World> {
  world = await World.start({ pipeline, launch: (needs) => RoughFleet.launch(needs) });
  await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
  return world;
}

/** A world where web runs in some clusters and mounts the ConfigMap settings. */
async function withWeb(scope: Scope, clusters: readonly string[], pipeline: Partial<PipelineOptions> = {}) {
  const fleet = await begin(pipeline);
  await fleet.apply(configMap("settings"));
  await fleet.apply(policyFor(scope, { of: "web", clusters }));
  await fleet.apply(mounting("web", { configMaps: ["settings"] }));
  await fleet.settle();
  return fleet;
}

const settings = "configmaps/shop/settings";
const attached = (of: World): Fields => of.get("resourcebindings/shop/settings-configmap")!;
const independent = (of: World): Fields => of.get("resourcebindings/shop/web-deployment")!;
const finalizer = "karmada.io/binding-dependencies-distributor";
const annotation = "resourcebinding.karmada.io/dependencies";

/** Events of a reason, as `kind name`. */
function told(of: World, reason: string): readonly string[] {
  const events = of.list("events").filter((event) => event["reason"] === reason);
  return events.map(({ involvedObject }) => `${involvedObject.kind} ${involvedObject.name}`).toSorted();
}

/** What the proposal prints. */
function printed(name: string): string {
  const folder = join(import.meta.dirname, "..", "kubectl", "proposals", "fixtures", "004-dependencies");
  return readFileSync(join(folder, `${name}.yaml`), "utf8");
}

describe.each(scopes)("with a %s", (scope) => {
  test("S91: what a workload refers to goes where it goes", async () => {
    const fleet = await begin();
    await fleet.apply(`${configMap("settings")}---${secret("token")}`);
    await fleet.apply(policyFor(scope, { of: "web", clusters: ["m1", "m2"] }));
    await fleet.apply(mounting("web", { configMaps: ["settings"], secrets: ["token"] }));
    await fleet.settle();
    for (const path of [settings, "secrets/shop/token"]) expect(placesOf(fleet, path), path).toEqual(["m1", "m2"]);
    const { uid } = fleet.get(settings)!["metadata"];
    const binding = attached(fleet);
    expect(binding["metadata"]).toMatchObject({
      labels: {
        [dependedByLabelOf({ namespace: "shop", name: "web-deployment" })]:
          independent(fleet)["metadata"].labels["resourcebinding.karmada.io/permanent-id"],
      },
      finalizers: ["karmada.io/binding-controller"],
      ownerReferences: [{ kind: "ConfigMap", name: "settings", uid, controller: true }],
    });
    expect(binding["spec"]).toEqual({
      resource: expect.objectContaining({
        apiVersion: "v1",
        kind: "ConfigMap",
        namespace: "shop",
        name: "settings",
        uid,
      }),
      requiredBy: [
        {
          namespace: "shop",
          name: "web-deployment",
          clusters: [
            { name: "m1", replicas: 1 },
            { name: "m2", replicas: 1 },
          ],
        },
      ],
      conflictResolution: "Abort",
    });
    expect(independent(fleet)["metadata"].finalizers).toContain(finalizer);
    expect(independent(fleet)["metadata"].annotations[annotation]).toBe(
      '[{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"settings"},{"apiVersion":"v1","kind":"Secret","namespace":"shop","name":"token"}]',
    );
    expect(told(fleet, "GetDependenciesSucceed")).toEqual(["Deployment web"]);
    expect(told(fleet, "SyncScheduleResultToDependenciesSucceed")).toEqual(
      Array(2).fill("ResourceBinding web-deployment"),
    );
  });

  test("S97: a deleted workload's dependencies are released before its binding is gone", async () => {
    const fleet = await withWeb(scope, ["m1"]);
    const { written } = fleet.fleet as RoughFleet; // as launched
    written.splice(0);
    await fleet.delete("deployments/shop/web");
    await fleet.settle();
    expect(independent(fleet)).toBeUndefined();
    expect(placesOf(fleet, settings)).toEqual([]);
    const changes = written
      .filter(({ resource }) => resource === "resourcebindings")
      .map(({ verb, name }) => `${verb} ${name}`);
    const released = changes.indexOf("update settings-configmap");
    expect(released).toBeGreaterThanOrEqual(0);
    // one for each finalizer: the works are gone, nobody follows; the last of them after the release
    expect(changes.filter((change) => change === "patch web-deployment")).toHaveLength(2);
    expect(changes.lastIndexOf("patch web-deployment")).toBeGreaterThan(released);
  });

  test("S98: a ConfigMap whose own policy was there first is where either wants it", async () => {
    const fleet = await begin();
    await fleet.apply(configMap("settings"));
    await fleet.apply(policyFor(scope, { of: "settings", kind: "ConfigMap", clusters: ["m3"], deps: false }));
    await fleet.settle();
    await fleet.apply(policyFor(scope, { of: "web", clusters: ["m1"] }));
    await fleet.apply(mounting("web", { configMaps: ["settings"] }));
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m1", "m3"]);
    await fleet.delete("deployments/shop/web");
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m3"]);
  });

  test("S101: a change of the ConfigMap reaches the members, and no binding is written for it", async () => {
    const fleet = await withWeb(scope, ["m1"]);
    const { written } = fleet.fleet as RoughFleet; // as launched
    written.splice(0);
    await fleet.apply(configMap("settings", "2"));
    await fleet.settle();
    expect(fleet.member("m1").get(settings)?.["data"]).toEqual({ value: "2" });
    expect(written.filter(({ resource }) => resource === "resourcebindings")).toEqual([]);
  });

  test("S104: of referrers that disagree, Overwrite and true win, with a warning", async () => {
    const fleet = await withWeb(scope, ["m1"]);
    const more = "conflictResolution: Overwrite\n  preserveResourcesOnDeletion: true";
    await fleet.apply(policyFor(scope, { of: "api", clusters: ["m2"], more }));
    await fleet.apply(mounting("api", { configMaps: ["settings"] }));
    await fleet.settle();
    expect(attached(fleet)["spec"]).toMatchObject({
      conflictResolution: "Overwrite",
      preserveResourcesOnDeletion: true,
    });
    const warning = fleet.list("events").find(({ reason }) => reason === "DependencyPolicyConflict");
    expect(warning?.["involvedObject"].name).toBe("settings-configmap");
    expect(warning?.["message"]).toBe(
      "Dependency policy conflict detected: ConflictResolution conflicted (Overwrite vs Abort); PreserveResourcesOnDeletion conflicted (true vs false).",
    );
    await fleet.apply(policyFor(scope, { of: "api", clusters: ["m2"] }));
    await fleet.settle();
    expect(attached(fleet)["spec"].conflictResolution).toBe("Abort");
    await fleet.apply(policyFor(scope, { of: "api", clusters: ["m2"], more: "conflictResolution: Overwrite" }));
    await fleet.settle();
    expect(attached(fleet)["spec"].conflictResolution).toBe("Overwrite");
    await fleet.delete("deployments/shop/api");
    await fleet.settle();
    expect(attached(fleet)["spec"].conflictResolution).toBe("Abort");
  });
});

test("S107: a restart before the dependency's binding is made does not lose it", async () => {
  const fleet = await begin();
  const rough = fleet.fleet as RoughFleet; // as launched
  rough.weather = ({ call }) => {
    const isFirst = call.verb === "create" && call.path.resource === "resourcebindings" && rough.crashes === 0;
    const { name } = (call.body as Fields | undefined)?.["metadata"] ?? {};
    return isFirst && name === "settings-configmap" ? { kind: "crash before" } : undefined;
  };
  await fleet.apply(configMap("settings"));
  await fleet.apply(policyFor("PropagationPolicy", { of: "web", clusters: ["m1"] }));
  await fleet.apply(mounting("web", { configMaps: ["settings"] }));
  await fleet.settle();
  expect(rough.crashes).toBe(1);
  expect(placesOf(fleet, settings)).toEqual(["m1"]);
});

test("a restart writes nothing, and neither does waiting", async () => {
  const fleet = await withWeb("PropagationPolicy", ["m1", "m2"]);
  await fleet.timePasses(30);
  const rough = fleet.fleet as RoughFleet; // as launched
  rough.written.splice(0);
  rough.restartControllers();
  await fleet.settle();
  await fleet.timePasses(60);
  expect(rough.written.filter(({ resource }) => !resource.startsWith("clusters"))).toEqual([]);
});

test("a dependency costs its workload no write, and itself what any object costs", async () => {
  const fleet = await begin();
  await fleet.apply(policyFor("PropagationPolicy", { of: "web", clusters: ["m1", "m2"] }));
  await fleet.settle();
  const { written } = fleet.fleet as RoughFleet; // as launched
  written.splice(0);
  await fleet.apply(mounting("web", { configMaps: ["settings"] }));
  await fleet.settle();
  const onBindings = written.filter(({ resource }) => resource === "resourcebindings");
  expect(onBindings.map(({ verb, name }) => `${verb} ${name}`)).toEqual(["create web-deployment"]);
  written.splice(0);
  await fleet.apply(configMap("settings"));
  await fleet.settle();
  const counts: Record<string, number> = {};
  for (const { cluster, verb, resource } of written) {
    if (resource.startsWith("clusters")) continue; // a member's own report, whatever runs on it
    const key = `${cluster} ${verb} ${resource}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  expect(counts).toEqual({
    "flotilla create resourcebindings": 1,
    "flotilla create works": 2,
    "flotilla update works/status": 2,
    "flotilla update resourcebindings/status": 1,
    "m1 create configmaps": 1,
    "m2 create configmaps": 1,
  });
});

test("what many come to need where it is already is written once for all of them", async () => {
  const fleet = await withWeb("PropagationPolicy", ["m1"]);
  const { written } = fleet.fleet as RoughFleet; // as launched
  written.splice(0);
  const names = Array.from({ length: 20 }, (_, n) => `w${n}`);
  for (const name of names) {
    await fleet.apply(policyFor("PropagationPolicy", { of: name, clusters: ["m1"] }));
    await fleet.apply(mounting(name, { configMaps: ["settings"] }));
  }
  await fleet.settle();
  expect(attached(fleet)["spec"].requiredBy).toHaveLength(21);
  const updates = written.filter(({ verb, name }) => verb === "update" && name === "settings-configmap");
  expect(updates).toHaveLength(1);
});

test("a workload goes even when what followed it was left behind by its owner", async () => {
  const fleet = await withWeb("PropagationPolicy", ["m1"]);
  const resource = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };
  const key = { namespace: "shop", name: "settings" };
  await fleet.user().delete(resource, key, { propagationPolicy: "Orphan" });
  await fleet.settle();
  expect(fleet.get(settings)).toBeUndefined();
  expect(attached(fleet)["spec"].requiredBy).toHaveLength(1);
  await fleet.delete("deployments/shop/web");
  await fleet.settle();
  expect(independent(fleet)).toBeUndefined();
  expect(attached(fleet)["spec"].requiredBy).toBeUndefined();
  expect(placesOf(fleet, settings)).toEqual([]);
});

test("the proposal's example comes out as the proposal prints it", async () => {
  world = await World.start({ members: ["member1", "member2"], launch: (needs) => RoughFleet.launch(needs) });
  const names = ["3-myapp", "4-myapp-propagation", "5-my-config", "6-spec-of-the-binding-of-my-config"];
  const [deployment, policy, map, spec] = names.map(printed);
  for (const manifest of [deployment!, policy!]) await world.apply(manifest);
  await world.settle();
  expect(world.get("resourcebindings/default/my-config-configmap")).toBeUndefined();
  await world.apply(map!);
  await world.settle();
  const [{ value } = { value: {} }] = parseYamlDocuments(spec!);
  const { resourceVersion: _, ...resource } = (value as Fields)["spec"].resource;
  const found = world.get("resourcebindings/default/my-config-configmap")!;
  expect(found["spec"]).toMatchObject({ ...(value as Fields)["spec"], resource });
  expect(placesOf(world, "configmaps/default/my-config")).toEqual(["member1", "member2"]);
});

test("with the gate turned off later, what runs keeps what it has, and a deleted workload lets go of it", async () => {
  let gates = gatesWith();
  const pipeline = {
    get gates() {
      return gates;
    },
  };
  const fleet = await withWeb("PropagationPolicy", ["m1"], pipeline);
  gates = gatesWith({ PropagateDeps: false });
  (fleet.fleet as RoughFleet).restartControllers();
  await fleet.settle();
  expect(placesOf(fleet, settings)).toEqual(["m1"]);
  await fleet.delete("deployments/shop/web");
  await fleet.settle();
  expect(independent(fleet)).toBeUndefined();
  expect(placesOf(fleet, settings)).toEqual([]);
});
