import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { type RemoteMember, startRemoteMember } from "#test/members/remote-member.ts";
import { freePort } from "#test/real/program.ts";
import { writeAccountKubeconfig } from "./account-kubeconfig.ts";
import { type BareServer, startBareServer } from "./bare-server.ts";
import { Flotilla, saying } from "./program.ts";

let server: BareServer;
let member: RemoteMember;
let folder: string;
let flotilla: Flotilla;
let log = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "flotilla-rights-"));
  [server, member] = await Promise.all([startBareServer("plain"), startRemoteMember("paris")]);
  flotilla = new Flotilla({ KUBECONFIG: server.kubeconfig });
  const port = String(await freePort());
  await flotilla.output("install", "--webhook-url", `https://127.0.0.1:${port}`);
  const webhook = ["webhook", "--secure-port", port, "--cert-names", "127.0.0.1", "--log-level=debug"];
  await startAs("flotilla-webhook", webhook, /^ready$/m);
  const flags = ["--metrics-bind-address=0", "--health-probe-bind-address=0", "--allow-loopback-members"];
  const gates = "--feature-gates=Failover=true,PropagationPolicyPreemption=true";
  await startAs("flotilla-controllers", ["controllers", "--log-level=debug", gates, ...flags], /"leading"/);
});

/** With the rights that install gave its account, and no others. */
async function startAs(account: string, words: readonly string[], ready: RegExp): Promise<void> {
  const kubeconfig = await writeAccountKubeconfig({
    account,
    client: server.client,
    server: server.cluster.url,
    ca: server.cluster.pki.ca.certificate,
    file: join(folder, account),
  });
  const child = flotilla.start(...words, "--kubeconfig", kubeconfig);
  child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  await saying(child, ready);
}

afterAll(async () => {
  flotilla.stop();
  await Promise.all([server[Symbol.asyncDispose](), member[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

const manifests = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: default }
data: { a: b }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: [{ apiGroups: [""], resources: [configmaps], verbs: [get] }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: nginx, envFrom: [{ configMapRef: { name: settings } }] }] }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: web, namespace: default }
spec:
  propagateDeps: true
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }]
  placement: { clusterAffinity: { clusterNames: [paris] } }
---
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: { name: reader }
spec:
  resourceSelectors: [{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, name: reader }]
  placement: { clusterAffinity: { clusterNames: [paris] } }
---
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: web, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }]
  overrideRules: [{ overriders: { imageOverrider: [{ component: Tag, operator: replace, value: "1.27" }] } }]
`;
const rebalancer = `
apiVersion: apps.karmada.io/v1alpha1
kind: WorkloadRebalancer
metadata: { name: again }
spec:
  ttlSecondsAfterFinished: 0
  workloads: [{ apiVersion: apps/v1, kind: Deployment, name: web, namespace: default }]
`;

test("controllers and webhook need no right that install does not give them, from the first join to the last deletion", async () => {
  const file = join(folder, "paris");
  const { url, pki } = member.cluster;
  writeFileSync(file, renderKubeconfig([{ name: "paris", server: url, pki }]));
  await flotilla.output("join", "paris", "--cluster-kubeconfig", file);
  const control = new Kubectl("v36", server.kubeconfig);
  const paris = new Kubectl("v36", file);
  const apply = async (input: string) =>
    expect(await control.try(["apply", "-f", "-"], { input })).toMatchObject({ code: 0 });
  await control.run("wait", "--for=condition=Ready", "cluster/paris", "--timeout=60s");
  await control.run("create", "namespace", "shop");
  await apply(manifests);
  for (const each of ["deployment/web", "configmap/settings", "clusterrole/reader", "namespace/shop"])
    await paris.run("wait", "--for=create", each, "--timeout=60s");
  expect(await paris.run("get", "deployment", "web", "-o", "jsonpath={..image}")).toBe("nginx:1.27");
  await control.run("wait", "--for=jsonpath={.status.readyReplicas}=1", "deployment/web", "--timeout=60s");
  await apply(rebalancer);
  await control.run("wait", "--for=delete", "workloadrebalancer/again", "--timeout=60s");
  await control.run("delete", "deployment/web", "propagationpolicy/web", "clusterpropagationpolicy/reader");
  await paris.run("wait", "--for=delete", "deployment/web", "--timeout=60s");
  await flotilla.output("unjoin", "paris", "--cluster-kubeconfig", file);
  expect((await control.run("get", "events", "-A", "-o", "name")).trim()).not.toBe("");
  expect(log).not.toMatch(/forbidden/i);
}, 240_000);
