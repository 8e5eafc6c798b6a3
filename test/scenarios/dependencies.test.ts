import { afterEach, describe, expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { dependedByLabelOf } from "#api/work/derived-names.ts";
import type { PipelineOptions } from "#app/pipeline.ts";
import {
  configMap,
  edited,
  mounting,
  placesOf,
  policyFor,
  policyPath,
  type Scope,
  scopes,
  secret,
  serviceAccount,
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

  test("S92: a ConfigMap that is created later is propagated then", async () => {
    const fleet = await begin();
    await fleet.apply(policyFor(scope, { of: "web", clusters: ["m1"] }));
    await fleet.apply(mounting("web", { configMaps: ["settings"] }));
    await fleet.settle();
    expect(attached(fleet)).toBeUndefined();
    await fleet.apply(configMap("settings"));
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m1"]);
  });

  test("S93: dependencies move along", async () => {
    const fleet = await withWeb(scope, ["m1"]);
    expect(placesOf(fleet, settings)).toEqual(["m1"]);
    await fleet.apply(policyFor(scope, { of: "web", clusters: ["m2"] }));
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m2"]);
    expect(placesOf(fleet, "deployments/shop/web")).toEqual(["m2"]);
  });

  test("S94: a shared ConfigMap has one binding and is where any of its referrers is", async () => {
    const fleet = await withWeb(scope, ["m1"]);
    await fleet.apply(policyFor(scope, { of: "api", clusters: ["m2"] }));
    await fleet.apply(mounting("api", { configMaps: ["settings"] }));
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m1", "m2"]);
    expect(attached(fleet)["spec"].requiredBy.map(({ name }: Fields) => name)).toEqual([
      "api-deployment",
      "web-deployment",
    ]);
    await fleet.delete("deployments/shop/web");
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m2"]);
    expect(attached(fleet)["spec"].requiredBy.map(({ name }: Fields) => name)).toEqual(["api-deployment"]);
  });

  test("S95: what is no longer referred to leaves the members, not the control plane", async () => {
    const fleet = await withWeb(scope, ["m1"]);
    await fleet.apply(mounting("web", { configMaps: [] }));
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual([]);
    expect(fleet.get(settings)).toBeDefined();
    expect(attached(fleet)["spec"].requiredBy).toBeUndefined();
    const labels = Object.keys(attached(fleet)["metadata"].labels);
    expect(labels.filter((key) => key.includes("depended-by"))).toEqual([]);
  });

  test("S96: without propagateDeps nothing follows any more", async () => {
    const fleet = await withWeb(scope, ["m1"]);
    await fleet.apply(policyFor(scope, { of: "web", clusters: ["m1"], deps: false }));
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual([]);
    expect(placesOf(fleet, "deployments/shop/web")).toEqual(["m1"]);
    expect(attached(fleet)["spec"].requiredBy).toBeUndefined();
    expect(independent(fleet)["metadata"].finalizers).toEqual(["karmada.io/binding-controller"]);
    expect(independent(fleet)["metadata"].annotations[annotation]).toBeUndefined();
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

  test("S98: a ConfigMap with a policy of its own is where either wants it", async () => {
    const fleet = await withWeb(scope, ["m1"]);
    await fleet.apply(policyFor(scope, { of: "settings", kind: "ConfigMap", clusters: ["m3"], deps: false }));
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m1", "m3"]);
    await fleet.delete(policyPath(scope, "settings"));
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m1", "m3"]);
    expect(attached(fleet)["spec"]).toMatchObject({ clusters: [{ name: "m3" }], placement: {} });
    await fleet.delete("deployments/shop/web");
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m3"]);
  });

  test("S98: the same when its own policy was there first", async () => {
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

  test("S105: a ConfigMap that is deleted and made anew follows again", async () => {
    const fleet = await withWeb(scope, ["m1"]);
    const { uid: before } = attached(fleet)["metadata"];
    await fleet.delete(settings);
    await fleet.apply(configMap("settings", "new"));
    await fleet.settle();
    expect(attached(fleet)["metadata"].uid).not.toBe(before);
    expect(attached(fleet)["spec"].resource.uid).toBe(fleet.get(settings)?.["metadata"].uid);
    expect(fleet.member("m1").get(settings)?.["data"]).toEqual({ value: "new" });
  });

  test("S106: with a lazy policy, propagateDeps takes effect at the next edit of the workload", async () => {
    const fleet = await begin();
    const more = "activationPreference: Lazy";
    await fleet.apply(configMap("settings"));
    await fleet.apply(policyFor(scope, { of: "web", clusters: ["m1"], deps: false, more }));
    await fleet.apply(mounting("web", { configMaps: ["settings"] }));
    await fleet.settle();
    await fleet.apply(policyFor(scope, { of: "web", clusters: ["m1"], deps: true, more }));
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual([]);
    await fleet.patch("deployments/shop/web", edited);
    await fleet.settle();
    expect(placesOf(fleet, settings)).toEqual(["m1"]);
  });

  test("S71: dependencies of a suspended workload are not suspended", async () => {
    const fleet = await begin();
    await fleet.apply(configMap("settings"));
    await fleet.apply(policyFor(scope, { of: "web", clusters: ["m1"], more: "suspension: { dispatching: true }" }));
    await fleet.apply(mounting("web", { configMaps: ["settings"] }));
    await fleet.settle();
    expect(placesOf(fleet, "deployments/shop/web")).toEqual([]);
    expect(placesOf(fleet, settings)).toEqual(["m1"]);
    expect(attached(fleet)["spec"].suspension).toBeUndefined();
  });
});

test("S99: what only an override refers to does not follow", async () => {
  const fleet = await begin();
  await fleet.apply(configMap("settings"));
  await fleet.apply(`
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: env, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }]
  overrideRules:
    - overriders:
        plaintext:
          - { path: /spec/template/spec/containers/0/envFrom, operator: add, value: [{ configMapRef: { name: settings } }] }
`);
  await fleet.apply(policyFor("PropagationPolicy", { of: "web", clusters: ["m1"] }));
  await fleet.apply(mounting("web", {}));
  await fleet.settle();
  const copy = fleet.member("m1").get("deployments/shop/web");
  expect(copy?.["spec"].template.spec.containers[0].envFrom).toHaveLength(1);
  expect(placesOf(fleet, settings)).toEqual([]);
});

test("S100: with the gate off the field is ignored", async () => {
  const fleet = await withWeb("PropagationPolicy", ["m1"], { gates: gatesWith({ PropagateDeps: false }) });
  expect(placesOf(fleet, "deployments/shop/web")).toEqual(["m1"]);
  expect(attached(fleet)).toBeUndefined();
  expect(independent(fleet)["metadata"].finalizers).toEqual(["karmada.io/binding-controller"]);
});

test("S102: the default ServiceAccount never follows, and what is missing is no error", async () => {
  const fleet = await begin();
  await fleet.apply(serviceAccount("robot"));
  await fleet.apply(policyFor("PropagationPolicy", { of: "web", clusters: ["m1"] }));
  await fleet.apply(policyFor("PropagationPolicy", { of: "api", clusters: ["m1"] }));
  await fleet.apply(mounting("web", { configMaps: ["missing"], more: "serviceAccountName: default" }));
  await fleet.apply(mounting("api", { more: "serviceAccountName: robot" }));
  await fleet.settle();
  expect(fleet.get("resourcebindings/shop/default-serviceaccount")).toBeUndefined();
  expect(placesOf(fleet, "serviceaccounts/shop/robot")).toEqual(["m1"]);
  expect(told(fleet, "GetDependenciesFailed")).toEqual([]);
  expect(told(fleet, "SyncScheduleResultToDependenciesFailed")).toEqual([]);
});

test("S103: the claims that a StatefulSet makes itself are not looked for", async () => {
  const fleet = await begin();
  await fleet.apply(`
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: db, namespace: shop }
spec:
  propagateDeps: true
  resourceSelectors: [{ apiVersion: apps/v1, kind: StatefulSet, name: db }]
  placement: { clusterAffinity: { clusterNames: [m1] } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: extra, namespace: shop }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop }
spec:
  replicas: 1
  serviceName: db
  selector: { matchLabels: { app: db } }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
  template:
    metadata: { labels: { app: db } }
    spec:
      containers: [{ name: db, image: "postgres:1" }]
      volumes:
        - { name: data, persistentVolumeClaim: { claimName: data } }
        - { name: extra, persistentVolumeClaim: { claimName: extra } }
`);
  await fleet.settle();
  expect(fleet.get("resourcebindings/shop/db-statefulset")?.["metadata"].annotations[annotation]).toBe(
    '[{"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"shop","name":"extra"}]',
  );
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
