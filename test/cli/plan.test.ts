import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import type { WantedEdit } from "#api/plan/plan-resources.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import { paintFor } from "#cli/print/paint.ts";
import { runProgram } from "#cli/program.ts";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { disagreements, stateOf } from "#test/plan/predicted-state.ts";
import { clusterPolicy, deployment, policy, registryOverride, to } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";
import { runInProcess } from "./in-process.ts";
import { Flotilla } from "./program.ts";

let world: World;
const folder = mkdtempSync(join(tmpdir(), "flotilla-plan-"));

beforeAll(async () => {
  const gates = gatesWith({ PropagationPolicyPreemption: true });
  world = await World.start({ members: ["m1", "m2", "m3"], pipeline: { gates } });
  await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
  await world.apply(clusterPolicy("everything", to("m1", "m2")));
  await world.apply(policy("lazy", to("m3"), { selector: "name: api", spec: "activationPreference: Lazy" }));
  for (const name of ["web", "api"]) await world.apply(deployment(name, 4));
  await world.settle();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function plan(manifests: string, ...flags: readonly string[]) {
  const file = join(folder, "manifests.yaml");
  writeFileSync(file, manifests);
  const before = world.revision;
  const run = await runInProcess([
    "plan",
    "-f",
    file,
    "--kubeconfig",
    world.fleet.kubeconfig,
    "--server-side",
    "--field-manager",
    "user",
    ...flags,
  ]);
  expect(world.revision).toBe(before);
  return run;
}

const cordonless = "apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: { name: m1 }\n";
const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: shop }\ndata: { a: b }\n";

test.each([
  ["a policy that moves what it holds", clusterPolicy("everything", to("m2", "m3")), []],
  ["a policy that takes over", policy("mine", to("m3"), { selector: "name: web", spec: "preemption: Always" }), []],
  ["a policy that waits", policy("lazy", to("m1"), { selector: "name: api", spec: "activationPreference: Lazy" }), []],
  [
    "a policy that is suspended",
    clusterPolicy("everything", to("m1", "m3"), { spec: "suspension: { dispatching: true }" }),
    [],
  ],
  ["a new image, restarting pods", deployment("web", 4, "nginx:2"), []],
  ["an override for one cluster", registryOverride("o", { of: "web", cluster: "m1", registry: "r.example.com" }), []],
  ["a workload that goes", deployment("web"), ["--delete"]],
  ["a cluster that leaves", cordonless, ["--delete"]],
  ["a placement that nothing fits", clusterPolicy("everything", to("nowhere")), []],
  ["several at once", `${deployment("new", 2)}---${clusterPolicy("everything", to("m3"))}`, ["--only", "moves"]],
  ["a summary", clusterPolicy("everything", to("m2", "m3")), ["--summary"]],
  ["what restarts alone", `${deployment("web", 4, "nginx:2")}---${deployment("api", 5)}`, ["--only", "restarts"]],
  ["what is deleted alone", clusterPolicy("everything", to("m2", "m3")), ["--only", "deletes"]],
  ["data", deployment("web", 4, "nginx:2"), ["-o", "yaml"]],
] as const)("%s", async (_, manifests, flags) => {
  const { code, stdout, stderr } = await plan(manifests, ...flags);
  expect([code, stderr]).toEqual([3, ""]);
  expect(stdout).toMatchSnapshot();
});

test("manifests come from folders, from standard input and from kustomize, as data, too", async () => {
  const [web, api] = [deployment("web", 4, "nginx:2"), deployment("api", 4, "nginx:2")];
  const manifests = join(folder, "shop");
  mkdirSync(manifests);
  writeFileSync(join(manifests, "api.yml"), api);
  writeFileSync(join(manifests, "web.yaml"), web);
  writeFileSync(join(manifests, "notes.txt"), "no manifest");
  const words = [
    "plan",
    "--kubeconfig",
    world.fleet.kubeconfig,
    "--server-side",
    "--field-manager",
    "user",
    "-o",
    "json",
  ];
  const templatesOf = (text: string) =>
    (JSON.parse(text) as { readonly templates: readonly { readonly name: string }[] }).templates.map(
      ({ name }) => name,
    );
  const ofFolder = await runInProcess([...words, "-f", manifests]);
  expect([ofFolder.code, templatesOf(ofFolder.stdout).toSorted()]).toEqual([3, ["api", "web"]]);
  writeFileSync(
    join(manifests, "kustomization.yaml"),
    "resources: [api.yml, web.yaml]\nimages: [{ name: nginx, newTag: '3' }]\n",
  );
  const built = await new Kubectl("v36", world.fleet.kubeconfig).run("kustomize", manifests);
  expect(built).toContain("nginx:3");
  const piped = await new Flotilla().feed(built, ...words, "-f", "-");
  expect([piped.code, piped.err]).toEqual([3, ""]);
  expect(templatesOf(piped.out).toSorted()).toEqual(["api", "web"]);
});

test("what changes nothing exits with 0", async () => {
  const same = await plan(deployment("web", 4));
  expect([same.code, same.stdout]).toEqual([0, "Nothing would change."]);
});

test("a policy that concerns nothing is a change all the same, and none once it is there", async () => {
  const idle = policy("idle", to("m1"), { selector: "name: nothing-of-this-name" });
  const planned = await plan(idle);
  expect([planned.code, planned.stdout]).toEqual([
    3,
    "No template would be affected.\n  PropagationPolicy shop/idle is created",
  ]);
  expect((await plan(idle, "--summary")).code).toBe(3);
  await world.apply(idle);
  await world.settle();
  const same = await plan(idle);
  expect([same.code, same.stdout]).toEqual([0, "Nothing would change."]);
  const gone = await plan(idle, "--delete");
  expect([gone.code, gone.stdout]).toEqual([
    3,
    "No template would be affected.\n  PropagationPolicy shop/idle is deleted",
  ]);
  await world.delete("propagationpolicies/shop/idle");
  await world.settle();
});

test("a manifest that the server refuses is refused in the same words", async () => {
  const suspension = "suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: [m1] } }";
  const broken = policy("broken", to("m1"), { spec: suspension });
  const { code, stderr } = await plan(broken);
  const refused = await world.apply(broken).catch((error: Error) => error.message);
  expect([code, stderr]).toEqual([1, `error: ${refused}`]);
});

test("an object of no policy is news for nobody but itself", async () => {
  expect((await plan(configMap)).stdout).toMatchSnapshot();
});

const why = (...words: readonly string[]) => runInProcess(["why", ...words, "--kubeconfig", world.fleet.kubeconfig]);

test.each([
  ["a workload", ["deploy/web", "-n", "shop"]],
  ["one whose policy is static", ["deployments.apps/api", "-n", "shop"]],
  ["one cluster that is out", ["deployment/web", "-n", "shop", "--cluster", "m3"]],
  ["something without a policy", ["namespace/shop"]],
] as const)("why: %s", async (_, words) => {
  const { code, stdout, stderr } = await why(...words);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatchSnapshot();
});

test("why: a kind and a name are two words, too", async () => {
  expect(await why("deployment", "web", "-n", "shop")).toEqual(await why("deployment/web", "-n", "shop"));
  expect((await why("deployment/web", "web", "-n", "shop")).code).toBe(2);
});

test("why: what is not there is said to be so", async () => {
  expect(await why("deployment/nothing", "-n", "shop")).toMatchObject({
    code: 1,
    stderr: 'error: deployments.apps "nothing" not found',
  });
  expect((await why("gadget/x")).stderr).toBe('error: the server has no kind "gadget"');
  expect((await why("deployment/web", "-n", "shop", "--cluster", "mars")).code).toBe(1);
});

test("plans what plain kubectl apply does, also to what a manifest no longer says", async () => {
  const kubectl = new Kubectl("v36", world.fleet.kubeconfig);
  const labelled = (labels: string, image: string) =>
    deployment("plain", 2, image).replace("labels: { app: plain }", `labels: { app: plain${labels} }`);
  await kubectl.feed(labelled(", tier: front", "nginx:1"), "apply", "-f", "-");
  await world.settle();
  const next = labelled("", "nginx:2");
  const planned = await world.fleet.planner.plan({
    edits: [{ do: "apply", manifest: parseYamlDocuments(next)[0]!.value as unknown as WantedEdit["manifest"] }], // a manifest
    user: { name: "user", groups: ["system:masters"] },
    fieldManager: "kubectl",
    serverSide: false,
    namespace: "default",
  });
  const before = stateOf(world);
  await kubectl.feed(next, "apply", "-f", "-");
  await world.settle();
  expect(disagreements(planned, before, stateOf(world))).toEqual([]);
  expect(world.member("m1").get("deployments/shop/plain")?.["metadata"].labels).not.toHaveProperty("tier");
});

test.each([
  ["as planned", deployment("live", 2), undefined, [/As planned: 1 templates compared\.$/]],
  [
    "otherwise, because somebody else moved it",
    deployment("live", 3),
    clusterPolicy("everything", to("m2")),
    [
      /Deployment shop\/live: planned on m1:3 m2:3, is on m2:3/,
      /Deployment shop\/live in m1: planned to be changed, was deleted/,
      /Deployment shop\/web in m1: not planned, was deleted/,
    ],
  ],
  [
    "otherwise, because somebody else took what nobody had",
    deployment("late", 1).replace("name: late", "name: live2"),
    policy("own", to("m3"), { selector: "name: live2", spec: "priority: 9" }),
    [
      /Deployment shop\/live2: planned to be of ClusterPropagationPolicy everything, is of PropagationPolicy shop\/own/,
      /Deployment shop\/live2 in m3: not planned, was created/,
      /Deployment shop\/live2 in m2: planned to be created, is not there/,
    ],
  ],
])("looks on while it is applied, and says that it came out %s", async (_, manifest, meddling, said) => {
  const file = join(folder, "live.yaml");
  writeFileSync(file, manifest);
  const lines: string[] = [];
  let planned = () => {};
  const isPlanned = new Promise<void>((resolve) => {
    planned = resolve;
  });
  const words = [
    "plan",
    "-f",
    file,
    "--kubeconfig",
    world.fleet.kubeconfig,
    "--server-side",
    "--field-manager",
    "user",
  ];
  const paint = paintFor({ isTerminal: false, env: {} });
  const output = { line: (text: string) => void lines.push(text), note: () => planned(), paint };
  const running = runProgram([...words, "--live", "--timeout", "10m"], output);
  await isPlanned;
  if (meddling !== undefined) await world.apply(meddling);
  await world.apply(manifest);
  await world.settle();
  expect(await running).toBe(meddling === undefined ? 0 : 1);
  for (const line of said) expect(lines.join("\n")).toMatch(line);
});
