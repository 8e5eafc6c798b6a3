import { afterEach, describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import type { NewObject } from "#client/client.ts";
import { configMap, placesOf, secret, serviceAccount } from "#test/world/dependency-manifests.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { World } from "#test/world/world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

const definition = (kind: string, scope: "Namespaced" | "Cluster") => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${kind.toLowerCase()}s.example.io }
spec:
  group: example.io
  names: { kind: ${kind}, plural: ${kind.toLowerCase()}s, singular: ${kind.toLowerCase()} }
  scope: ${scope}
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

/** A script that believes whatever the object says. */
const believing = (kind: string) => `
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: { name: ${kind.toLowerCase()}s }
spec:
  target: { apiVersion: example.io/v1, kind: ${kind} }
  customizations:
    dependencyInterpretation:
      luaScript: "function GetDependencies(desiredObj) return desiredObj.spec.needs end"
`;

const everywhere = (kind: string) => `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: { name: ${kind.toLowerCase()}s }
spec:
  propagateDeps: true
  resourceSelectors: [{ apiVersion: example.io/v1, kind: ${kind} }]
`;

const demanding = (kind: string, name: string, needs: readonly object[]) => `
apiVersion: example.io/v1
kind: ${kind}
metadata: { name: ${name}${kind === "Zone" ? "" : ", namespace: shop"} }
spec: { needs: ${JSON.stringify(needs)} }
`;

const need = (kind: string, name: string, namespace?: string, apiVersion = "v1") => ({
  apiVersion,
  kind,
  name,
  ...(namespace !== undefined && { namespace }),
});

/** A fleet where Squads, in a namespace, and Zones, in none, name what they need. */
async function begin(): Promise<World> {
  const fleet = await World.start({ members: ["m1"], launch: (needs) => RoughFleet.launch(needs) });
  world = fleet;
  for (const yaml of [definition("Squad", "Namespaced"), definition("Zone", "Cluster")]) {
    await fleet.apply(yaml);
    const [there] = parseYamlDocuments(yaml);
    await fleet.member("m1").create(there!.value as NewObject); // a manifest
  }
  await fleet.timePasses(30); // the member reports what it serves
  for (const kind of ["Squad", "Zone"]) {
    await fleet.apply(believing(kind));
    await fleet.apply(everywhere(kind));
  }
  await fleet.apply(`${configMap("settings")}---${configMap("other", "1", "b")}`);
  await fleet.apply(serviceAccount("robot"));
  await fleet.apply(`
apiVersion: v1
kind: Secret
metadata: { name: robot-token, namespace: shop, annotations: { kubernetes.io/service-account.name: robot } }
type: kubernetes.io/service-account-token
`);
  for (const [name, namespace] of [
    ["own", "shop"],
    ["theirs", "b"],
    ["m1", "karmada-cluster"],
    ["system", "kube-system"],
  ] as const)
    await fleet.apply(secret(name, { namespace }));
  await fleet.settle();
  return fleet;
}

/** Scripts run in real time beside the virtual clock: the world is looked at until it is as expected. */
async function eventually(fleet: World, look: () => unknown, expected: unknown): Promise<void> {
  for (let rounds = 0; rounds < 200; rounds++) {
    await fleet.settle();
    if (JSON.stringify(look()) === JSON.stringify(expected)) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(look()).toEqual(expected);
}

/** Whatever follows anything, as `Kind namespace/name`. */
function followers(fleet: World): readonly string[] {
  return [...fleet.list("resourcebindings"), ...fleet.list("clusterresourcebindings")]
    .filter(({ spec }) => spec.requiredBy !== undefined)
    .map(({ spec: { resource } }) => `${resource.kind} ${resource.namespace ?? ""}/${resource.name}`)
    .toSorted();
}

const everything = [
  need("ConfigMap", "settings", "shop"),
  need("Secret", "own", "shop"),
  need("ConfigMap", "other", "b"),
  need("Secret", "theirs", "b"),
  need("Secret", "m1", "karmada-cluster"),
  need("Secret", "system", "kube-system"),
  need("Secret", "robot-token", "shop"),
  need("ConfigMap", "kube-root-ca.crt", "shop"),
  need("ServiceAccount", "default", "shop"),
  need("ClusterRole", "view", undefined, "rbac.authorization.k8s.io/v1"),
  { apiVersion: "v1", kind: "Secret", labelSelector: {} },
];

describe("SEC-06: whatever a script says", () => {
  test("a namespaced object gets only what is in its own namespace, and no credential", async () => {
    const fleet = await begin();
    await fleet.apply(demanding("Squad", "red", everything));
    await eventually(fleet, () => followers(fleet), ["ConfigMap shop/settings", "Secret shop/own"]);
    expect(placesOf(fleet, "secrets/shop/own")).toEqual(["m1"]);
    for (const path of ["secrets/b/theirs", "secrets/karmada-cluster/m1", "secrets/shop/robot-token"])
      expect(placesOf(fleet, path), path).toEqual([]);
  });

  test("ruling 18: a cluster-scoped object gets what it names, but no Secret", async () => {
    const fleet = await begin();
    await fleet.apply(demanding("Zone", "north", everything));
    await eventually(fleet, () => followers(fleet), [
      "ClusterRole /view",
      "ConfigMap b/other",
      "ConfigMap shop/settings",
    ]);
    expect(fleet.get("clusterresourcebindings/view-clusterrole")).toMatchObject({
      metadata: { finalizers: ["karmada.io/cluster-resource-binding-controller"] },
      spec: { requiredBy: [{ name: "north-zone", clusters: [{ name: "m1" }] }] },
    });
    expect(fleet.get("clusterresourcebindings/north-zone")?.["metadata"].finalizers).toContain(
      "karmada.io/binding-dependencies-distributor",
    );
    await fleet.delete("zones/north");
    await eventually(fleet, () => followers(fleet), []);
    await fleet.settle();
    expect(fleet.get("clusterresourcebindings/north-zone")).toBeUndefined();
    expect(placesOf(fleet, "configmaps/shop/settings")).toEqual([]);
  });
});

test("SEC-33: too many dependencies, or none that means anything, change nothing and are told", async () => {
  const fleet = await begin();
  await fleet.apply(demanding("Squad", "red", [need("ConfigMap", "settings", "shop")]));
  await eventually(fleet, () => followers(fleet), ["ConfigMap shop/settings"]);
  const failures = () =>
    fleet.list("events").filter((event: Fields) => event["reason"] === "GetDependenciesFailed").length;
  const many = Array.from({ length: 1_001 }, (_, n) => need("ConfigMap", `c${n}`, "shop"));
  await fleet.apply(demanding("Squad", "red", many));
  await eventually(fleet, failures, 1);
  const selecting = { apiVersion: "v1", kind: "Secret", labelSelector: { matchLabels: { app: 1 } } };
  await fleet.apply(demanding("Squad", "red", [selecting]));
  await eventually(fleet, failures, 2);
  expect(followers(fleet)).toEqual(["ConfigMap shop/settings"]);
  expect(placesOf(fleet, "configmaps/shop/settings")).toEqual(["m1"]);
});
