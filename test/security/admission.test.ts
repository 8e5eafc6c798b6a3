import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resourceOf } from "#api/kind.ts";
import { ourKinds } from "#api/our-kinds.ts";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { isJsonObject } from "#base/json.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type HttpCall, http } from "#test/world/http.ts";

let world: TestFleet;
let cluster: EmbeddedCluster;

beforeAll(async () => {
  world = await startTestFleet();
  cluster = world.fleet.controlPlane;
});
afterAll(() => world[Symbol.asyncDispose]());

const send = (method: string, body: unknown, type = "json"): HttpCall => ({
  method,
  body: JSON.stringify(body),
  headers: { "content-type": `application/${type}` },
});

const twins = [
  {
    kind: "PropagationPolicy",
    path: "/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies",
    id: "propagationpolicy.karmada.io/permanent-id",
    finalizer: "karmada.io/propagation-policy-controller",
  },
  {
    kind: "ClusterPropagationPolicy",
    path: "/apis/policy.karmada.io/v1alpha1/clusterpropagationpolicies",
    id: "clusterpropagationpolicy.karmada.io/permanent-id",
    finalizer: "karmada.io/cluster-propagation-policy-controller",
  },
];

describe.each(twins)("$kind", ({ kind, path, id, finalizer }) => {
  const policy = (name: string, spec: object = {}, metadata: object = {}) => ({
    apiVersion: "policy.karmada.io/v1alpha1",
    kind,
    metadata: { name, ...metadata },
    spec: { resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", name: "none" }], ...spec },
  });
  const wrong = { suspension: { suspendDispatching: true, dispatchingOnClusters: { clusterNames: ["m1"] } } };
  const detail = "suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames";
  const create = async (name: string, metadata: object = {}) => {
    const { code, json } = await http(cluster, path, send("POST", policy(name, {}, metadata)));
    expect(code).toBe(201);
    return json;
  };

  test.each<[string, (name: string) => [string, HttpCall]]>([
    ["POST", (name) => [path, send("POST", policy(`${name}-new`, wrong))]],
    ["PUT", (name) => [`${path}/${name}`, send("PUT", policy(name, wrong))]],
    ["a merge patch", (name) => [`${path}/${name}`, send("PATCH", { spec: wrong }, "merge-patch+json")]],
    [
      "a JSON patch",
      (name) => {
        const operations = [{ op: "add", path: "/spec/suspension", value: wrong.suspension }];
        return [`${path}/${name}`, send("PATCH", operations, "json-patch+json")];
      },
    ],
    [
      "server-side apply",
      (name) => [`${path}/${name}?fieldManager=t&force=true`, send("PATCH", policy(name, wrong), "apply-patch+yaml")],
    ],
    [
      "server-side apply that creates",
      (name) => [`${path}/${name}-new?fieldManager=t`, send("PATCH", policy(`${name}-new`, wrong), "apply-patch+yaml")],
    ],
    ["a dry run", (name) => [`${path}?dryRun=All`, send("POST", policy(`${name}-new`, wrong))]],
  ])("what is wrong is refused whichever way it comes: %s", async (way, request) => {
    const name = `wrong-${way.replaceAll(/\W/g, "-").toLowerCase()}`;
    const { metadata } = await create(name);
    const [url, call] = request(name);
    const body = JSON.parse(String(call.body)); // a PUT must carry the revision and the id that it replaces
    if (call.method === "PUT") body.metadata = { ...metadata };
    const { code, json } = await http(cluster, url, { ...call, body: JSON.stringify(body) });
    expect(code, json["message"]).toBe(422);
    expect(json).toMatchObject({ kind: "Status", status: "Failure", reason: "Invalid" });
    expect(json["details"].causes).toHaveLength(1);
    expect(json["details"].causes[0]).toMatchObject({
      reason: "FieldValueInvalid",
      field: "spec.suspension.suspension",
      message: expect.stringContaining(detail),
    });
    const kept = await http(cluster, `${path}/${name}`);
    expect(kept.json["spec"].suspension).toBeUndefined();
    expect((await http(cluster, `${path}/${name}-new`)).code).toBe(404);
  });

  test("a new policy gets an id of its own and its finalizer, whatever it brings", async () => {
    const foreign = "00000000-0000-4000-8000-000000000000";
    const { metadata } = await create("identity", {
      labels: { [id]: foreign, team: "a" },
      finalizers: ["example.com/x"],
    });
    expect(metadata.labels).toEqual({ [id]: expect.stringMatching(/^[0-9a-f-]{36}$/), team: "a" });
    expect(metadata.labels[id]).not.toBe(foreign);
    expect(metadata.finalizers).toEqual(["example.com/x", finalizer]);
  });

  test.each([
    ["replaced", { [id]: "another" }],
    ["removed", { [id]: null }],
  ])("the id cannot be %s", async (how, labels) => {
    const { metadata } = await create(`id-${how}`);
    const answer = await http(
      cluster,
      `${path}/id-${how}`,
      send("PATCH", { metadata: { labels } }, "merge-patch+json"),
    );
    expect(answer.code).toBe(422);
    expect(answer.json["message"]).toContain(`label ${id} is immutable`);
    expect((await http(cluster, `${path}/id-${how}`)).json["metadata"].labels).toEqual(metadata.labels);
  });

  test("the scheduler cannot be changed", async () => {
    await create("scheduler");
    const patch = send("PATCH", { spec: { schedulerName: "mine" } }, "merge-patch+json");
    const { code, json } = await http(cluster, `${path}/scheduler`, patch);
    expect(code).toBe(422);
    expect(json["details"].causes).toMatchObject([{ field: "spec.schedulerName" }]);
  });

  test("applying the same manifest again changes nothing", async () => {
    const apply = () =>
      http(cluster, `${path}/again?fieldManager=t`, send("PATCH", policy("again"), "apply-patch+yaml"));
    const first = await apply();
    const second = await apply();
    expect(second.json["metadata"].resourceVersion).toBe(first.json["metadata"].resourceVersion);
  });

  test("a body of the wrong shape is the schema's to refuse, mutation passes it over", async () => {
    for (const spec of [null, "x", { resourceSelectors: "x" }, { resourceSelectors: [null, 1] }, { placement: [] }]) {
      const { code, json } = await http(cluster, path, send("POST", { ...policy("shape"), spec }));
      expect([400, 422], json["message"]).toContain(code);
    }
    for (const metadata of [
      { labels: "x" },
      { labels: ["x"] },
      { labels: { a: 1 } },
      { finalizers: "x" },
      { finalizers: [1] },
    ]) {
      const { code, json } = await http(cluster, path, send("POST", policy("shape", {}, metadata)));
      expect([400, 422], json["message"]).toContain(code);
    }
  });
});

test("what is protected cannot be deleted, one by one or all at once, until the label is gone", async () => {
  const maps = "/api/v1/namespaces/default/configmaps";
  const label = "resourcetemplate.karmada.io/deletion-protected";
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept", labels: { [label]: "Always" } } };
  expect((await http(cluster, maps, send("POST", body))).code).toBe(201);
  for (const path of [`${maps}/kept`, `${maps}?labelSelector=${label}%3DAlways`]) {
    const { code, json } = await http(cluster, path, { method: "DELETE" });
    expect(code).toBe(403);
    expect(json["reason"]).toBe("Forbidden");
    expect(json["message"]).toContain(`This resource is protected, please make sure to remove the label: ${label}`);
  }
  expect((await http(cluster, `${maps}/kept`)).code).toBe(200);
  await http(cluster, `${maps}/kept`, send("PATCH", { metadata: { labels: { [label]: null } } }, "merge-patch+json"));
  expect((await http(cluster, `${maps}/kept`, { method: "DELETE" })).code).toBe(200);
});

describe("works", () => {
  const works = "/apis/work.karmada.io/v1alpha1/namespaces/karmada-es-none/works";
  const work = (name: string, manifests: unknown) => ({
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { name },
    spec: { workload: { manifests } },
  });

  beforeAll(async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "karmada-es-none" } };
    await http(cluster, "/api/v1/namespaces", send("POST", namespace));
  });

  test("get an id that stays, and manifests that say what is ours", async () => {
    const manifest = { apiVersion: "v1", kind: "Secret", metadata: { name: "a", uid: "x", labels: { app: "a" } } };
    const { code, json } = await http(cluster, works, send("POST", work("id", [manifest])));
    expect(code).toBe(201);
    const id = json["metadata"].labels["work.karmada.io/permanent-id"];
    const [written] = json["spec"].workload.manifests;
    expect(written.metadata).toEqual({
      name: "a",
      labels: { app: "a", "work.karmada.io/permanent-id": id },
      annotations: {
        "resourcetemplate.karmada.io/managed-annotations":
          "resourcetemplate.karmada.io/managed-annotations,resourcetemplate.karmada.io/managed-labels",
        "resourcetemplate.karmada.io/managed-labels": "app,work.karmada.io/permanent-id",
      },
    });
    const status = send("PATCH", { status: { conditions: [] } }, "merge-patch+json");
    expect((await http(cluster, `${works}/id/status`, status)).code).toBe(200);
    const again = await http(cluster, `${works}/id`, send("PATCH", { spec: {} }, "merge-patch+json"));
    expect(again.json["metadata"].labels).toEqual(json["metadata"].labels);
  });

  test.each([
    ["a manifest without a kind", [{ apiVersion: "v1", metadata: { name: "a" } }], "spec.workload.manifests[0].kind"],
    [
      "metadata that is none",
      [{ apiVersion: "v1", kind: "Secret", metadata: 7 }],
      "spec.workload.manifests[0].metadata",
    ],
    [
      "a job that is none",
      [{ apiVersion: "batch/v1", kind: "Job", metadata: { name: "a" }, spec: { parallelism: "x" } }],
      "spec.workload.manifests[0]",
    ],
  ])("are refused with %s", async (_name, manifests, field) => {
    const { code, json } = await http(cluster, works, send("POST", work("bad", manifests)));
    expect(code).toBe(422);
    expect(json["details"].causes).toMatchObject([{ field }]);
  });
});

describe("clusters", () => {
  const path = "/apis/cluster.karmada.io/v1alpha1/clusters";
  const cluster1 = (name: string, spec: object) => ({
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: { name },
    spec: { syncMode: "Pull", ...spec },
  });

  test("SEC-10: a secret of another namespace is out of reach (ruling 22)", async () => {
    const secretRef = { namespace: "kube-system", name: "admin" };
    const { code, json } = await http(cluster, path, send("POST", cluster1("thief", { secretRef })));
    expect(code).toBe(422);
    expect(json["details"].causes).toMatchObject([
      { reason: "FieldValueForbidden", field: "spec.secretRef.namespace" },
    ]);
  });

  test("SEC-10: who may write clusters but not read their secrets cannot redirect them (ruling 22)", async () => {
    const secretRef = { namespace: "karmada-cluster", name: "m9" };
    const created = await http(cluster, path, send("POST", cluster1("m9", { secretRef, apiEndpoint: "https://m9" })));
    expect(created.code, created.text).toBe(201);
    const token = await editorOfClusters();
    const patch = (spec: object) =>
      http(cluster, `${path}/m9`, { ...send("PATCH", { spec }, "merge-patch+json"), token });
    const redirected = await patch({ apiEndpoint: "https://elsewhere" });
    expect(redirected.code, redirected.text).toBe(403);
    expect(redirected.json["message"]).toContain('must be allowed to get the secret "karmada-cluster/m9"');
    expect((await patch({ region: "eu" })).code).toBe(200);
  });

  async function editorOfClusters(): Promise<string> {
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const meta = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: "cluster-editor" } };
    const rules = [{ apiGroups: ["cluster.karmada.io"], resources: ["clusters"], verbs: ["*"] }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-editor" };
    const subjects = [{ kind: "ServiceAccount", namespace: "default", name: "editor" }];
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "editor" } };
    await http(cluster, "/api/v1/namespaces/default/serviceaccounts", send("POST", account));
    await http(cluster, `${rbac}/clusterroles`, send("POST", { ...meta, kind: "ClusterRole", rules }));
    await http(
      cluster,
      `${rbac}/clusterrolebindings`,
      send("POST", { ...meta, kind: "ClusterRoleBinding", roleRef, subjects }),
    );
    const { json } = await http(
      cluster,
      "/api/v1/namespaces/default/serviceaccounts/editor/token",
      send("POST", { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} }),
    );
    return json["status"].token;
  }
});

describe("every manifest of the proposals is accepted", () => {
  const folder = join(import.meta.dirname, "..", "kubectl", "proposals", "fixtures");
  const unreadable = "003-batch-change/4-custom-cpp-bare-star.yaml"; // `namespace: *` is not YAML

  const files = readdirSync(folder, { encoding: "utf8", recursive: true }).filter((each) => each.endsWith(".yaml"));
  for (const file of files.filter((each) => each !== unreadable)) {
    const documents = (loadAll(readFileSync(join(folder, file), "utf8")) as unknown[]).filter(isJsonObject);
    for (const [index, manifest] of documents.entries()) {
      const kind = ourKinds.find((each) => each.kind === manifest["kind"]);
      if (kind === undefined) continue;
      test(`${file} ${kind.kind} ${index}`, async () => {
        const { group, version, resource, namespaced } = resourceOf(kind);
        const metadata = manifest["metadata"] as { readonly name: string; readonly namespace?: string };
        const namespace = metadata.namespace ?? "default";
        await http(
          cluster,
          "/api/v1/namespaces",
          send("POST", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }),
        );
        const place = namespaced ? `namespaces/${namespace}/${resource}` : resource;
        const url = `/apis/${group}/${version}/${place}/${metadata.name}?fieldManager=t&force=true`;
        const { code, json } = await http(cluster, url, send("PATCH", manifest, "apply-patch+yaml"));
        expect([200, 201], json["message"]).toContain(code);
      });
    }
  }
});
