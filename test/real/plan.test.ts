import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlanReport } from "#api/plan/plan-report.ts";
import { writeAccountKubeconfig } from "#test/cli/account-kubeconfig.ts";
import { Flotilla, saying } from "#test/cli/program.ts";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { eventually } from "#test/members/remote-member.ts";
import { ControllersProcess } from "./controllers-process.ts";
import { type KeptHouse, keepHouse } from "./keep-house.ts";
import { KubeAccess } from "./kube-access.ts";
import { KubeFleet } from "./kube-fleet.ts";
import { freePort } from "./program.ts";

/** Plans and reasons where the API server makes none: by the program, as somebody who may only read, on real kube-apiservers. */
let fleet: KubeFleet;
let houses: readonly KeptHouse[];
let controllers: ControllersProcess;
let admin: Flotilla;
let reader: Flotilla;
let kubectl: Kubectl;

beforeAll(async () => {
  fleet = await KubeFleet.start({ members: ["paris", "oslo"] });
  houses = [
    await keepHouse(fleet.controlPlane, "control plane"),
    ...(await Promise.all(fleet.members.map((member) => keepHouse(member, "member")))),
  ];
  admin = new Flotilla({ KUBECONFIG: fleet.controlPlane.kubeconfig });
  kubectl = new Kubectl("v36", fleet.controlPlane.kubeconfig);
  const port = String(await freePort());
  await admin.output("install", "--webhook-url", `https://127.0.0.1:${port}`);
  await saying(admin.start("webhook", "--secure-port", port, "--cert-names", "127.0.0.1"), /^ready$/m);
  controllers = new ControllersProcess(fleet, "controllers");
  await controllers.start("--feature-gates=PropagationPolicyPreemption=true");
  for (const { name, kubeconfig } of fleet.members)
    await admin.output("join", name, "--cluster-kubeconfig", kubeconfig);
  await kubectl.feed(`${readers}${policy("everything", "paris")}---${deployment}`, "apply", "-f", "-");
  reader = new Flotilla({ KUBECONFIG: await accountFile("reader") });
  await there("paris");
}, 180_000);

afterAll(async () => {
  admin?.stop();
  reader?.stop();
  await controllers?.kill();
  for (const house of houses ?? []) await house[Symbol.asyncDispose]();
  await fleet?.[Symbol.asyncDispose]();
});

test("a policy edit is planned by a reader, made with kubectl, and comes out as planned", async () => {
  const edit = await written("edit.yaml", policy("everything", "oslo"));
  const { code, out, err } = await reader.run("plan", "-f", edit, "-o", "json");
  expect([code, err]).toEqual([3, ""]);
  const [planned] = (JSON.parse(out) as PlanReport).templates;
  expect(planned).toMatchObject({
    name: "web",
    moves: true,
    clusters: { before: [{ name: "paris", replicas: 2 }], after: [{ name: "oslo", replicas: 2 }] },
    objects: [
      { cluster: "oslo", does: "creates" },
      { cluster: "paris", does: "deletes", replicasDown: 2 },
    ],
  });
  const live = reader.start("plan", "-f", edit, "--live", "--timeout", "60s");
  await saying(live, /waiting until the manifests are applied/);
  const outcome = saying(live, /As planned: 1 templates compared/);
  await kubectl.run("apply", "-f", edit);
  await outcome;
  await there("oslo");
  await eventually(
    () => new KubeAccess(fleet.member("paris")).get("deployments/default/web"),
    (found) => found === undefined,
    30_000,
  );
}, 120_000);

test("the gates that the controllers run with are known", async () => {
  const taking = await written("taking.yaml", policy("taking", "paris", "preemption: Always, priority: 1,"));
  const known = await reader.run("plan", "-f", taking, "--summary");
  expect([known.code, known.err, known.out]).toEqual([
    3,
    "",
    expect.stringContaining("1 template affected: 1 changes hands, 1 moves"),
  ]);
  const otherwise = await reader.run("plan", "-f", taking, "--feature-gates", "PropagationPolicyPreemption=false");
  const itself = "No template would be affected.\n  PropagationPolicy default/taking is created\n";
  expect([otherwise.code, otherwise.out]).toEqual([3, itself]);
  await kubectl.run("-n", "karmada-system", "delete", "configmap", "flotilla-controllers");
  const unknown = await reader.run("plan", "-f", taking);
  expect([unknown.code, unknown.out]).toEqual([3, itself]);
  expect(unknown.err).toContain("the feature gates of the controllers are not known");
}, 60_000);

test("a template's place is explained, and why it is not elsewhere", async () => {
  const { code, out } = await reader.run("why", "deployment/web", "--cluster", "paris");
  expect(code).toBe(0);
  expect(out).toContain("policy(default/everything) acts on it");
  expect(out).toContain("ClusterAffinity");
  expect((await reader.run("why", "deployment/none")).err).toContain('"none" not found');
}, 60_000);

test("what would be reconciled is planned, too", async () => {
  for (const cluster of ["oslo", "paris"])
    await kubectl.feed(policy("everything", cluster, "activationPreference: Lazy,"), "apply", "-f", "-");
  const { code, out } = await eventually(
    () => reader.run("reconcile", "deployment/web", "--plan"),
    (run) => run.code !== 0,
    30_000,
  );
  expect([code, out]).toEqual([3, expect.stringContaining("clusters  oslo:2 → paris:2")]);
}, 60_000);

test("rights that are missing are said by name", async () => {
  const stranger = new Flotilla({ KUBECONFIG: await accountFile("stranger") });
  const { code, err } = await stranger.run("plan", "-f", await written("edit.yaml", policy("everything", "paris")));
  expect(code).toBe(1);
  expect(err).toMatch(
    /cannot plan: you may not list .*bindings.*deployments\.apps.*secrets, .*works\.work\.karmada\.io/,
  );
}, 60_000);

const policy = (name: string, cluster: string, more = "") => `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: default }
spec: { ${more} resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }], placement: { clusterAffinity: { clusterNames: [${cluster}] } } }
`;
const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: nginx }] } }
`;
const readers = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: stranger, namespace: karmada-system }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: reader, namespace: karmada-system }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: [{ apiGroups: ["*"], resources: ["*"], verbs: [get, list] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader }
subjects: [{ kind: ServiceAccount, name: reader, namespace: karmada-system }]
---
`;

async function there(member: string): Promise<void> {
  const access = new KubeAccess(fleet.member(member));
  await eventually(
    () => access.get("deployments/default/web"),
    (found) => found?.["status"]?.readyReplicas === 2,
    60_000,
  );
}

async function written(name: string, text: string): Promise<string> {
  const file = join(fleet.folder, name);
  writeFileSync(file, text);
  return file;
}

function accountFile(account: string): Promise<string> {
  const { url: server, pki } = fleet.controlPlane;
  const client = fleet.controlPlane.client("test");
  const file = join(fleet.folder, `${account}.kubeconfig`);
  return writeAccountKubeconfig({ account, client, server, ca: pki.ca.certificate, file });
}
