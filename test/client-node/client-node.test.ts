import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";

/** The JavaScript client that others use, from the package of foreign clients. */
const require = createRequire(join(import.meta.dirname, "..", "clients", "package.json"));
type K8s = typeof import("../clients/node_modules/@kubernetes/client-node/dist/index.js");

let world: TestFleet;
let k8s: K8s;
let config: InstanceType<K8s["KubeConfig"]>;

beforeAll(async () => {
  world = await startTestFleet();
  k8s = (await import(pathToFileURL(require.resolve("@kubernetes/client-node")).href)) as K8s;
  config = new k8s.KubeConfig();
  config.loadFromFile(world.kubeconfig);
});
afterAll(() => world[Symbol.asyncDispose]());

const namespace = "default";
const configMap = (name: string, data: Record<string, string>) => ({
  metadata: { name, labels: { app: "client-node" } },
  data,
});

test("create, read, list, replace, delete", async () => {
  const core = config.makeApiClient(k8s.CoreV1Api);
  const created = await core.createNamespacedConfigMap({ namespace, body: configMap("one", { a: "1" }) });
  expect(created.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
  expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
  const read = await core.readNamespacedConfigMap({ namespace, name: "one" });
  const replaced = await core.replaceNamespacedConfigMap({
    namespace,
    name: "one",
    body: { ...read, data: { a: "2" } },
  });
  expect(replaced.data).toEqual({ a: "2" });
  const list = await core.listNamespacedConfigMap({ namespace, labelSelector: "app=client-node" });
  expect(list.items.map(({ metadata }) => metadata?.name)).toEqual(["one"]);
  await expect(core.replaceNamespacedConfigMap({ namespace, name: "one", body: read })).rejects.toMatchObject({
    code: 409,
  });
  await core.deleteNamespacedConfigMap({ namespace, name: "one" });
  await expect(core.readNamespacedConfigMap({ namespace, name: "one" })).rejects.toMatchObject({ code: 404 });
});

test("patch of all four kinds", async () => {
  const core = config.makeApiClient(k8s.CoreV1Api);
  await core.createNamespacedConfigMap({ namespace, body: configMap("patched", { a: "1" }) });
  const patch = (body: unknown, type: string) =>
    core.patchNamespacedConfigMap(
      {
        namespace,
        name: "patched",
        body,
        fieldManager: "client-node",
        ...(type === k8s.PatchStrategy.ServerSideApply ? { force: true } : {}),
      },
      k8s.setHeaderOptions("Content-Type", type),
    );
  expect((await patch([{ op: "add", path: "/data/b", value: "2" }], k8s.PatchStrategy.JsonPatch)).data).toEqual({
    a: "1",
    b: "2",
  });
  expect((await patch({ data: { a: null } }, k8s.PatchStrategy.MergePatch)).data).toEqual({ b: "2" });
  expect((await patch({ data: { c: "3" } }, k8s.PatchStrategy.StrategicMergePatch)).data).toEqual({ b: "2", c: "3" });
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "patched" }, data: { d: "4" } };
  expect((await patch(applied, k8s.PatchStrategy.ServerSideApply)).data).toEqual({ b: "2", c: "3", d: "4" });
});

test("an informer lists, watches and follows", async () => {
  const core = config.makeApiClient(k8s.CoreV1Api);
  const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
    core.listNamespacedConfigMap({ namespace }),
  );
  const seen: string[] = [];
  let wake: () => void = () => {};
  for (const verb of ["add", "update", "delete"] as const) {
    informer.on(verb, (object) => {
      if (object.metadata?.name === "followed") seen.push(`${verb} ${object.data?.["a"]}`);
      wake();
    });
  }
  const until = async (line: string) => {
    while (!seen.includes(line)) await new Promise<void>((resolve) => (wake = resolve));
  };
  await informer.start();
  await core.createNamespacedConfigMap({ namespace, body: configMap("followed", { a: "1" }) });
  await until("add 1");
  await core.replaceNamespacedConfigMap({ namespace, name: "followed", body: configMap("followed", { a: "2" }) });
  await until("update 2");
  await core.deleteNamespacedConfigMap({ namespace, name: "followed" });
  await until("delete 2");
  await informer.stop();
  expect(seen).toEqual(["add 1", "update 2", "delete 2"]);
});

test("custom resources: our own policies", async () => {
  const custom = config.makeApiClient(k8s.CustomObjectsApi);
  const kind = { group: "policy.karmada.io", version: "v1alpha1", namespace, plural: "propagationpolicies" };
  const body = {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "web" },
    spec: { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }] },
  };
  const created = (await custom.createNamespacedCustomObject({ ...kind, body })) as { spec: Record<string, unknown> };
  expect(created.spec).toMatchObject({
    priority: 0,
    preemption: "Never",
    conflictResolution: "Abort",
    schedulerName: "default-scheduler",
  });
  await expect(
    custom.createNamespacedCustomObject({
      ...kind,
      body: { ...body, metadata: { name: "bad" }, spec: { resourceSelectors: [] } },
    }),
  ).rejects.toMatchObject({ code: 422 });
  const list = (await custom.listNamespacedCustomObject(kind)) as { items: unknown[] };
  expect(list.items).toHaveLength(1);
});
