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
  const settled = new SettledParts({ onSettled: deepFreeze });
  const { cluster: first, client: here } = await openCluster(settled);
  const { cluster: second, client: there } = await openCluster(settled);
  const { cluster: third, client: alone } = await openCluster(new SettledParts());
  await using _ = first;
  await using __ = second;
  await using ___ = third;
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
