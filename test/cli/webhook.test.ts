import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { type Kind, resourceOf } from "#api/kind.ts";
import type { ApiTransport } from "#api/meta/api-call.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { ourKinds } from "#api/our-kinds.ts";
import { createClient, type NewObject } from "#client/client.ts";
import { freePort } from "#test/real/program.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type BareServer, startBareServer } from "./bare-server.ts";
import { Flotilla, saying } from "./program.ts";
import { startWebhookProcess } from "./webhook-process.ts";

const { Namespace, ClusterRole, ClusterRoleBinding } = kubernetesResources;
let server: BareServer;
let embedded: TestFleet;
let flotilla: Flotilla;
let port: number;
let webhook: ChildProcess;

beforeAll(async () => {
  [server, embedded] = await Promise.all([startBareServer("plain"), startTestFleet()]);
  flotilla = new Flotilla({ KUBECONFIG: server.kubeconfig });
  port = await freePort();
  await flotilla.output("install", "--webhook-url", `https://127.0.0.1:${port}`);
  webhook = await startReplica(port);
  for (const transport of transports()) await prepare(transport);
});
afterAll(async () => {
  flotilla.stop();
  await Promise.all([server[Symbol.asyncDispose](), embedded[Symbol.asyncDispose]()]);
});

const startReplica = (at: number) => startWebhookProcess({ server, flotilla, port: at });
const transports = (): readonly ApiTransport[] => [server.cluster.server, embedded.fleet.controlPlane.server];
const admin = { name: "admin", groups: ["system:masters"] };
const jane = { name: "jane", groups: ["system:authenticated"] };
const clientOf = (transport: ApiTransport, user = admin) => createClient({ transport, user, manager: "test" });

/** Jane may write everything of ours, and no secrets. */
async function prepare(transport: ApiTransport): Promise<void> {
  const client = clientOf(transport);
  const rbac = "rbac.authorization.k8s.io";
  await client.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: "karmada-es-m1" } });
  await client.create(ClusterRole, {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name: "ours" },
    rules: [{ apiGroups: ["cluster.karmada.io", "policy.karmada.io"], resources: ["*"], verbs: ["*"] }],
  });
  await client.create(ClusterRoleBinding, {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "jane" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "ours" },
    subjects: [{ apiGroup: rbac, kind: "User", name: "jane" }],
  });
}

const selector = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const secretRef = { namespace: "karmada-cluster", name: "m1" };
const script = (luaScript: string) => ({
  target: { apiVersion: "example.com/v1", kind: "Thing" },
  customizations: { replicaResource: { luaScript } },
});
const work = {
  workload: {
    manifests: [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b", uid: "x" }, data: { n: "1" } },
    ],
  },
};

/** Writes that admission completes or refuses: kind, spec, and what is special. */
const writes: readonly (readonly [
  string,
  string,
  object,
  { readonly user?: typeof jane; readonly namespace?: string }?,
])[] = [
  ["a policy is completed", "PropagationPolicy", { resourceSelectors: [selector] }],
  [
    "a policy that says too much is refused",
    "PropagationPolicy",
    { resourceSelectors: [selector], placement: { clusterAffinity: {}, clusterAffinities: [{ affinityName: "a" }] } },
  ],
  [
    "a policy that is not built yet gets a remark",
    "PropagationPolicy",
    {
      resourceSelectors: [selector],
      propagateDeps: true,
      failover: {
        application: {
          decisionConditions: { tolerationSeconds: 1 },
          purgeMode: "Directly",
          statePreservation: { rules: [{ aliasLabelName: "a", jsonPath: "{.x}" }] },
        },
      },
    },
  ],
  [
    "a policy for all namespaces needs names to preempt",
    "ClusterPropagationPolicy",
    { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }], preemption: "Always" },
  ],
  [
    "a cluster-scoped kind is known as such",
    "ClusterPropagationPolicy",
    {
      resourceSelectors: [{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", namespace: "a*" }],
      preemption: "Always",
    },
  ],
  [
    "a kind that users define is known, too",
    "ClusterPropagationPolicy",
    {
      resourceSelectors: [{ apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster", namespace: "a*" }],
      preemption: "Always",
    },
  ],
  [
    "an override policy is completed",
    "OverridePolicy",
    { resourceSelectors: [selector], overrideRules: [{ overriders: { plaintext: [] } }] },
  ],
  [
    "an override policy that renames is refused",
    "ClusterOverridePolicy",
    { overrideRules: [{ overriders: { plaintext: [{ path: "/metadata/name", operator: "replace", value: "x" }] } }] },
  ],
  [
    "a binding gets its id",
    "ResourceBinding",
    { resource: { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "default" } },
  ],
  [
    "a binding of another namespace's object is refused",
    "ResourceBinding",
    { resource: { apiVersion: "v1", kind: "Secret", name: "a", namespace: "kube-system" } },
  ],
  ["a work is pruned and marked", "Work", work, { namespace: "karmada-es-m1" }],
  ["a cluster gets its models", "Cluster", { syncMode: "Push", apiEndpoint: "https://m1.example" }],
  [
    "a cluster with a secret elsewhere is refused",
    "Cluster",
    { syncMode: "Push", apiEndpoint: "https://m1.example", secretRef: { namespace: "default", name: "a" } },
  ],
  [
    "who cannot read the secret cannot say where it goes",
    "Cluster",
    { syncMode: "Push", apiEndpoint: "https://m1.example", secretRef },
    { user: jane },
  ],
  ["who can, can", "Cluster", { syncMode: "Push", apiEndpoint: "https://m1.example", secretRef }],
  ["a taint policy is judged", "ClusterTaintPolicy", { taints: [] }],
  ["Lua that is none is refused", "ResourceInterpreterCustomization", script("function (")],
  ["Lua is accepted", "ResourceInterpreterCustomization", script("function GetReplicas(o) return 1 end")],
  [
    "a second customization of one operation is refused",
    "ResourceInterpreterCustomization",
    script("function GetReplicas(o) return 2 end"),
  ],
];

async function outcome(transport: ApiTransport, [, kindName, spec, more = {}]: (typeof writes)[number], name: string) {
  const kind = ourKinds.find((each) => each.kind === kindName) as Kind;
  const namespace = kind.namespaced ? (more.namespace ?? "default") : undefined;
  const object: NewObject = {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kindName,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec,
  };
  try {
    return masked(await clientOf(transport, more.user).create(resourceOf(kind), object));
  } catch (error: unknown) {
    if (!(error instanceof StatusError)) throw error;
    const { code, reason, details, message } = error;
    const text = message.replace(/^admission webhook "[-a-z.]+" denied the request: /, "");
    return { code, reason, text, causes: details?.causes };
  }
}

/** Without what differs between any two servers. */
function masked(object: ApiObject): unknown {
  const { managedFields: _, ...metadata } = object.metadata;
  return JSON.parse(
    JSON.stringify({ ...object, metadata })
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
      .replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"N"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, "TIME"),
  );
}

describe("the webhook does to a write what the embedded control plane does", () => {
  for (const [index, row] of writes.entries())
    test(row[0], async () => {
      const [plain, inProcess] = await Promise.all(transports().map((each) => outcome(each, row, `w${index}`)));
      expect(plain).toEqual(inProcess);
      const refused = /refused|cannot|judged|needs names|known/.test(row[0]);
      expect(plain).toMatchObject(refused ? { code: expect.any(Number) } : { kind: row[1] });
    });

  test("what is protected is not deleted", async () => {
    const { ConfigMap } = { ConfigMap: { ...Namespace, resource: "configmaps", kind: "ConfigMap", namespaced: true } };
    const labels = { "resourcetemplate.karmada.io/deletion-protected": "Always" };
    const key = { namespace: "default", name: "kept" };
    await server.client.create(ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key, labels } });
    await expect(server.client.delete(ConfigMap, key)).rejects.toMatchObject({ code: 403 });
    const patch = { metadata: { labels: null } };
    await server.client.patch(ConfigMap, key, { type: "merge", patch });
    expect(await server.client.delete(ConfigMap, key)).toBe(true);
  });
});

describe("a control plane that is not there", () => {
  test("is waited for, and the wait ends when the webhook is told to stop", async () => {
    const gone = await freePort();
    const file = `${server.kubeconfig}-gone`;
    writeFileSync(
      file,
      readFileSync(server.kubeconfig, "utf8").replace(server.cluster.url, `https://127.0.0.1:${gone}`),
    );
    const child = flotilla.start("webhook", "--kubeconfig", file, "--secure-port", "0");
    await saying(child, /cannot find out what the API server serves/);
    child.kill("SIGTERM");
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
  });
});

describe("replicas", () => {
  test("serve one certificate, and say that they are well", async () => {
    const second = await freePort();
    await startReplica(second);
    expect(await fingerprint(second)).toBe(await fingerprint(port));
  });

  test("without any, policies cannot be written and all else can", async () => {
    webhook.kill("SIGTERM");
    expect(await new Promise((resolve) => webhook.once("close", resolve))).toBe(0);
    const row = writes[0]!;
    expect(await outcome(server.cluster.server, row, "late")).toMatchObject({ code: 500 });
    await server.client.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: "free" } });
    await startReplica(port);
    expect(await outcome(server.cluster.server, row, "late")).toMatchObject({ kind: "PropagationPolicy" });
  });
});

function fingerprint(at: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: at, rejectUnauthorized: false }, () => {
      resolve((socket.getPeerCertificate() as Fields)["fingerprint256"]);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}
