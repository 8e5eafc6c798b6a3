import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { runInProcess } from "./in-process.ts";
import { Flotilla } from "./program.ts";

let world: TestFleet;
let kubectl: Kubectl;

const shop = `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: web, namespace: shop }
spec:
  propagateDeps: true
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }]
  placement:
    clusterAffinity: { clusterNames: [member1, member2] }
    replicaScheduling:
      { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { staticWeightList: [{ targetCluster: { clusterNames: [member1] }, weight: 2 }, { targetCluster: { clusterNames: [member2] }, weight: 1 }] } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
data: { evil: "\\u001b[2Jgone\\u001b]0;title\\u0007" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, labels: { tier: front } }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: "nginx:1", envFrom: [{ configMapRef: { name: settings } }] }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: alone, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { app: alone } }
  template: { metadata: { labels: { app: alone } }, spec: { containers: [{ name: c, image: "nginx:1" }] } }
`;

beforeAll(async () => {
  world = await startTestFleet({ members: ["member1", "member2"] });
  kubectl = new Kubectl("v36", world.kubeconfig);
  await kubectl.run("wait", "--for=condition=Ready", "clusters", "--all", "--timeout=60s");
  await kubectl.feed(shop, "apply", "-f", "-");
  await kubectl.run(
    "-n",
    "shop",
    "wait",
    "--for=jsonpath={.status.availableReplicas}=3",
    "deployment/web",
    "--timeout=60s",
  );
  await kubectl.run("-n", "shop", "wait", "--for=create", "resourcebinding/settings-configmap", "--timeout=60s");
  await kubectl.run("-n", "shop", "wait", "--for=condition=FullyApplied", "resourcebinding", "--all", "--timeout=60s");
});
afterAll(() => world[Symbol.asyncDispose]());

const flotilla = (...words: string[]) => runInProcess([...words, "--kubeconfig", world.kubeconfig]);
/** Without what differs from run to run. */
const masked = (text: string) =>
  text
    .replaceAll(/\b[0-9]+(m[0-9]+)?s\b/g, "5s")
    .replaceAll(/\b[0-9]{4}-[0-9-]+T[0-9:]+Z/g, "2026-01-01T00:00:00Z")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "uid")
    .replaceAll(/resourceVersion: "?[0-9]+"?/g, "resourceVersion: 1")
    .replaceAll(/(AGE|5s) +/g, "$1  ")
    .replaceAll(/ +$/gm, "");

describe("get", () => {
  for (const [name, words] of Object.entries({
    "the control plane": ["get", "deployments", "-n", "shop"],
    "members side by side": ["get", "deploy", "-n", "shop", "--operation-scope", "all"],
    "one member, wide": ["get", "deployment/web", "-n", "shop", "--clusters", "member2", "-o", "wide"],
    "every namespace": ["get", "deployments.apps", "-A", "-l", "tier=front", "-s", "all"],
    names: ["get", "deployments", "-n", "shop", "-s", "all", "-o", "name"],
    nothing: ["get", "jobs", "-n", "shop", "-s", "members"],
    nobody: ["get", "deployment", "nobody", "-n", "shop"],
    "a cluster that is none": ["get", "deployments", "-C", "atlantis"],
  }))
    test(name, async () => expect(golden(await flotilla(...words))).toMatchSnapshot());

  test("as data, with where it is", async () => {
    const { stdout } = await flotilla("get", "deployment/web", "-n", "shop", "-s", "all", "-o", "json");
    const { items } = JSON.parse(stdout) as {
      items: { kind: string; metadata: { annotations: Record<string, string> } }[];
    };
    expect(
      items.map(({ kind, metadata }) => [kind, metadata.annotations["resource.karmada.io/cached-from-cluster"]]),
    ).toEqual([
      ["Deployment", undefined],
      ["Deployment", "member1"],
      ["Deployment", "member2"],
    ]);
  });
});

describe("tree", () => {
  test("from the template to its copies", async () =>
    expect(golden(await flotilla("tree", "deployment/web", "-n", "shop"))).toMatchSnapshot());
  test("of what nobody claims", async () =>
    expect(golden(await flotilla("tree", "deploy/alone", "-n", "shop"))).toMatchSnapshot());
  test("of a kind and a name", async () =>
    expect(await flotilla("tree", "deploy", "alone", "-n", "shop")).toEqual(
      await flotilla("tree", "deploy/alone", "-n", "shop"),
    ));
  test("as data", async () =>
    expect(JSON.parse((await flotilla("tree", "deploy/alone", "-n", "shop", "-o", "json")).stdout)).toEqual({
      kind: "Deployment",
      name: "shop/alone",
      states: [{ is: "waiting", text: "no policy claims it" }],
      children: [],
    }));
});

describe("describe", () => {
  test("in the control plane and in members", async () =>
    expect(golden(await flotilla("describe", "configmap", "settings", "-n", "shop", "-s", "all"))).toMatchSnapshot());
  test("with conditions and events", async () => {
    const { stdout } = await flotilla("describe", "rb/web-deployment", "-n", "shop");
    expect(stdout).toMatch(/^Conditions:\n {2}TYPE +STATUS +REASON +MESSAGE\n/m);
    expect(stdout).toMatch(/^Events:\n {2}TYPE +REASON +LAST SEEN/m);
  });
});

describe("lint", () => {
  const folder = mkdtempSync(join(tmpdir(), "flotilla-lint-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "everything.yaml"),
    `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: everything, namespace: shop }
spec:
  priority: 5
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
  placement: { clusterAffinity: { clusterNames: [member1, member9] } }
---
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: mirror, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: Secret }]
`,
  );
  writeFileSync(join(folder, "notes.txt"), "no manifest");

  test("of files alone asks no server", async () =>
    expect(golden(await runInProcess(["lint", "-f", folder, "--kubeconfig", "/nowhere"]))).toMatchSnapshot());
  test("of files as if they were applied", async () =>
    expect(golden(await flotilla("lint", "-f", folder, "--live", "--strict"))).toMatchSnapshot());
  test("of what is there", async () =>
    expect(golden(await flotilla("lint", "--live"))).toBe("nothing is wrong\n-- exit code 0"));
  test("as data", async () =>
    expect(JSON.parse((await flotilla("lint", "-f", folder, "-o", "json")).stdout)).toMatchObject({
      findings: [{ code: "override-unmatched", severity: "warning" }],
    }));
  test("of what is no manifest", async () => {
    writeFileSync(join(folder, "broken.json"), "{");
    const { code, stderr } = await runInProcess(["lint", "-f", join(folder, "broken.json")]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: cannot read .*broken.json.*\nhint: manifests are YAML or JSON$/);
  });
  test("of what is no file", async () => {
    const inside = join(folder, "unreadable");
    mkdirSync(join(inside, "folder.yaml"), { recursive: true });
    const missing = join(inside, "missing");
    const errors = [missing, inside].map(async (name) => (await runInProcess(["lint", "-f", name])).stderr);
    expect(await Promise.all(errors)).toEqual([
      `error: cannot find ${missing}\nhint: give files, folders or - to -f`,
      `error: cannot read ${join(inside, "folder.yaml")}: it is a folder\nhint: name a file`,
    ]);
  });
  test("of more than fits", async () => {
    const much = `# ${"x".repeat(16 << 20)}`;
    const file = join(folder, "much.json");
    writeFileSync(file, much);
    const program = new Flotilla();
    const refused = [await program.run("lint", "-f", file), await program.feed(much, "lint", "-f", "-")];
    const tooMuch = "it has more than 16777216 bytes\nhint: is it the right one?";
    expect(refused.map(({ code }) => code)).toEqual([1, 1]);
    expect(refused[0]?.err.trim()).toBe(`error: cannot read ${file}: ${tooMuch}`);
    expect(refused[1]?.err.trim()).toBe(`error: cannot read standard input: ${tooMuch}`);
  });
});

test("get -w goes on line by line in a pipe, and Ctrl-C ends it", async () => {
  const dist = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");
  const words = [
    "get",
    "configmaps",
    "-n",
    "shop",
    "-s",
    "all",
    "-l",
    "fresh=yes",
    "-w",
    "--kubeconfig",
    world.kubeconfig,
  ];
  const child = spawn(process.execPath, [dist, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  const says = (what: RegExp) =>
    new Promise<void>((resolve) => {
      const look = () => what.test(text) && resolve();
      child.stdout.on("data", look);
      look();
    });
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
  });
  await says(/^NAME +CLUSTER/);
  await kubectl.run("-n", "shop", "create", "configmap", "new", "--from-literal=a=b");
  await kubectl.run("-n", "shop", "label", "configmap", "new", "fresh=yes");
  await says(/^new +flotilla +1 /m);
  await kubectl.run("-n", "shop", "delete", "configmap", "new");
  await says(/^new \(deleted\) +flotilla/m);
  child.kill("SIGINT");
  const code = await new Promise((resolve) => child.on("exit", resolve));
  expect(code).toBe(0);
  expect(text).not.toContain("\u001b");
});

function golden({ code, stdout, stderr }: Awaited<ReturnType<typeof flotilla>>): string {
  return masked(`${stdout}${stderr === "" ? "" : `\n-- stderr\n${stderr}`}\n-- exit code ${code}`);
}
