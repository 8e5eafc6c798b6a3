import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { type RemoteMember, startRemoteMember } from "#test/members/remote-member.ts";
import { type InstalledServer, startInstalledServer } from "./installed-server.ts";

let installed: InstalledServer;
let member: RemoteMember;

beforeAll(async () => {
  const gates = "Failover=true,PropagationPolicyPreemption=true";
  [installed, member] = await Promise.all([startInstalledServer(gates), startRemoteMember("paris")]);
});
afterAll(async () => {
  await Promise.all([installed[Symbol.asyncDispose](), member[Symbol.asyncDispose]()]);
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
  const { flotilla, server, folder } = installed;
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
  expect(installed.log()).not.toMatch(/forbidden/i);
}, 240_000);
