import { expect, test } from "vitest";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { SettledParts } from "#apiserver/write/settled-parts.ts";
import { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { cloneJson } from "#base/json.ts";
import { silentLogger } from "#base/logger.ts";
import type { Client, NewObject } from "#client/client.ts";
import { clientOf } from "#test/world/cluster.ts";
import { deepFreeze, slowParts } from "#test/world/slow-parts.ts";

const apps = { group: "apps", version: "v1", namespaced: true };
const kinds = [
  { ...apps, resource: "deployments", kind: "Deployment" },
  { ...apps, resource: "statefulsets", kind: "StatefulSet" },
  { ...apps, resource: "daemonsets", kind: "DaemonSet" },
];
const configMaps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };

async function openCluster(settled: SettledParts): Promise<{ cluster: EmbeddedCluster; client: Client }> {
  const { builtin, pki } = await slowParts();
  const common = { name: "test", directory: undefined, host: "127.0.0.1", port: 0, random: systemRandom };
  const cluster = await EmbeddedCluster.open({
    ...common,
    ...{ pki, builtin, clock: systemClock, log: silentLogger, settled },
  });
  const client = clientOf(cluster.server);
  await client.create(
    { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } },
  );
  return { cluster, client };
}

/** Two clusters that have parts in common, which nobody may change, and one that keeps its own. */
async function openClusters() {
  const settled = new SettledParts({ onSettled: deepFreeze });
  const opened = [
    await openCluster(settled),
    await openCluster(settled),
    await openCluster(new SettledParts()),
  ] as const;
  const [here, there, alone] = opened;
  return {
    ...{ here: here.client, there: there.client, alone: alone.client },
    async [Symbol.asyncDispose]() {
      for (const { cluster } of opened.toReversed()) await cluster[Symbol.asyncDispose]();
    },
  };
}

function workload(kind: string): NewObject {
  const labels = { app: "web" };
  const container = { name: "web", image: "nginx:1", ports: [{ containerPort: 80 }], env: [{ name: "A", value: "b" }] };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name: "web", namespace: "default", labels },
    spec: { selector: { matchLabels: labels }, template, ...(kind === "StatefulSet" && { serviceName: "web" }) },
  };
}

/** Without what differs each time. */
function content({
  metadata: { uid: _, resourceVersion: __, creationTimestamp: ___, ...metadata },
  ...rest
}: ApiObject) {
  const managedFields = metadata.managedFields?.map(({ time: ____, ...entry }) => entry);
  return { ...rest, metadata: { ...metadata, managedFields } };
}

test.for(kinds)("a spec that one cluster has stored is taken by another as it is: $kind", async (resource) => {
  await using clusters = await openClusters();
  const { here, there, alone } = clusters;
  const { spec } = (await here.create(resource, workload(resource.kind))) as Fields;
  const copy = { ...workload(resource.kind), spec };
  const shared = await there.create(resource, copy);
  expect((shared as Fields)["spec"]).toBe(spec);
  expect(content(shared)).toEqual(content(await alone.create(resource, cloneJson(copy))));

  const labelled = { metadata: { labels: { tier: "front" } } };
  const patch = (client: Client, body: unknown) =>
    client.patch(resource, { namespace: "default", name: "web" }, { type: "merge", patch: body });
  const patched = await patch(there, labelled);
  expect((patched as Fields)["spec"]).toBe(spec);
  expect(content(patched)).toEqual(content(await patch(alone, labelled)));

  const restyled = { spec: { minReadySeconds: 5, template: { spec: { restartPolicy: null } } } };
  const changed = await patch(there, restyled);
  expect((changed as Fields)["spec"].minReadySeconds).toBe(5);
  expect(content(changed)).toEqual(content(await patch(alone, restyled)));
  expect((await here.get(resource, { namespace: "default", name: "web" }))?.["spec" as keyof ApiObject]).toBe(spec);
  await expect(patch(there, { spec: { selector: { matchLabels: { app: "other" } } } })).rejects.toThrow(
    /immutable|Forbidden/,
  );
});

test("what is settled as one kind is judged as any other elsewhere", async () => {
  const settled = new SettledParts({ onSettled: deepFreeze });
  const { cluster, client } = await openCluster(settled);
  await using _ = cluster;
  const { spec } = (await client.create(kinds[0]!, workload("Deployment"))) as Fields;
  const other = { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "d", namespace: "default" }, spec };
  const made = (await client.create(kinds[2]!, other)) as Fields;
  expect(made["spec"]).not.toBe(spec);
  expect(made["spec"].replicas).toBeUndefined(); // a DaemonSet has none
  const odd = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "default" }, spec };
  expect(((await client.create(configMaps, odd)) as Fields)["spec"]).toBeUndefined();
  const bad = { ...workload("Deployment"), metadata: { name: "Not A Name", namespace: "default" }, spec };
  await expect(client.create(kinds[0]!, bad)).rejects.toThrow("metadata.name");
});

const status = {
  observedGeneration: 1,
  replicas: 2,
  conditions: [{ type: "Available", status: "True", lastUpdateTime: "2026-11-18T00:00:00Z", reason: "Enough" }],
};

test("a status that says what another of the kind says is kept once, in all clusters", async () => {
  await using clusters = await openClusters();
  const { here, there, alone } = clusters;
  const [resource, other] = [kinds[0]!, kinds[1]!];
  const report = async (client: Client, said: Fields, of = resource) => {
    const key = { namespace: "default", name: "web" };
    const found = (await client.get(of, key)) ?? (await client.create(of, workload(of.kind)));
    return (await client.updateStatus(of, { ...found, status: structuredClone(said) } as ApiObject)) as Fields;
  };
  const one = await report(here, status);
  const two = await report(there, status);
  expect(two["status"]).toBe(one["status"]);
  const plain = await report(alone, status);
  expect(content(two as ApiObject)).toEqual(content(plain as ApiObject));
  // once more, and something else
  const more = { ...status, replicas: 3, unknown: true };
  await report(there, more);
  await report(alone, more);
  const [again, unshared] = [await report(there, status), await report(alone, status)];
  expect(again["status"]).toBe(one["status"]);
  expect(content(again as ApiObject)).toEqual(content(unshared as ApiObject));
  // in another order it says the same, and is brought into the one that Kubernetes prints
  const turned = Object.fromEntries(Object.entries(status).reverse());
  expect(JSON.stringify((await report(there, turned))["status"])).toBe(JSON.stringify(one["status"]));
  // another kind has its own
  const stored = await report(here, status, other);
  expect(content(stored as ApiObject)).toEqual(content((await report(alone, status, other)) as ApiObject));
});

test("a status that is wrong is wrong each time", async () => {
  const { cluster, client } = await openCluster(new SettledParts({ onSettled: deepFreeze }));
  await using _ = cluster;
  const made = await client.create(kinds[0]!, workload("Deployment"));
  const wrong = { ...made, status: { ...status, replicas: 1, readyReplicas: 2 } } as ApiObject;
  for (let round = 0; round < 3; round++)
    await expect(client.updateStatus(kinds[0]!, structuredClone(wrong))).rejects.toThrow("status.readyReplicas");
});

test("the status of a custom resource is judged until one like it was found to be right", async () => {
  const { cluster, client } = await openCluster(new SettledParts({ onSettled: deepFreeze }));
  await using _ = cluster;
  const definitions = {
    ...{ group: "apiextensions.k8s.io", version: "v1", namespaced: false },
    ...{ resource: "customresourcedefinitions", kind: "CustomResourceDefinition" },
  };
  const ships = { group: "sea.example.com", version: "v1", resource: "ships", kind: "Ship", namespaced: true };
  const phase = (maxLength: number) => ({
    type: "object",
    properties: { status: { type: "object", properties: { phase: { type: "string", maxLength } } } },
  });
  const versions = (maxLength: number) => [
    {
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: { openAPIV3Schema: phase(maxLength) },
    },
  ];
  await client.create(definitions, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "ships.sea.example.com" },
    spec: {
      group: "sea.example.com",
      scope: "Namespaced",
      names: { plural: "ships", singular: "ship", kind: "Ship", listKind: "ShipList" },
      versions: versions(8),
    },
  });
  const newShip = (name: string) =>
    client.create(ships, { apiVersion: "sea.example.com/v1", kind: "Ship", metadata: { name, namespace: "default" } });
  const say = async (ship: ApiObject, said: string) =>
    (await client.updateStatus(ships, { ...ship, status: { phase: said } } as ApiObject)) as Fields;
  const [a, b, c] = [await newShip("a"), await newShip("b"), await newShip("c")];
  const one = await say(a, "afloat");
  expect((await say(b, "afloat"))["status"]).toBe(one["status"]);
  await expect(say(c, "on the ground")).rejects.toThrow("status.phase");
  // what was right is wrong by a stricter schema, but where it stands
  await client.patch(
    definitions,
    { name: "ships.sea.example.com" },
    { type: "merge", patch: { spec: { versions: versions(4) } } },
  );
  const kept = (await client.get(ships, { namespace: "default", name: "a" })) as ApiObject;
  await say({ ...kept, status: undefined } as ApiObject, "afloat");
  await expect(say((await client.get(ships, { namespace: "default", name: "c" }))!, "afloat")).rejects.toThrow(
    "status.phase",
  );
});
