import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { runInProcess } from "./in-process.ts";

let world: TestFleet;
let kubectl: Kubectl;

beforeAll(async () => {
  world = await startTestFleet({ members: ["member1", "member2", "member3"] });
  kubectl = new Kubectl("v36", world.kubeconfig);
  await kubectl.run("wait", "--for=condition=Ready", "clusters", "--all", "--timeout=60s");
});
afterAll(() => world[Symbol.asyncDispose]());

const policy = (clusters: string) => `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: { name: default }
spec:
  activationPreference: Lazy
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
  placement: { clusterAffinity: { clusterNames: [${clusters}] } }
`;
const deployment = (name: string, tier: string) => `
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default, labels: { tier: ${tier} } }
spec:
  replicas: 1
  selector: { matchLabels: { app: ${name} } }
  template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: c, image: nginx:1 }] } }
`;

const apply = (manifest: string) => kubectl.feed(manifest, "apply", "-f", "-");
const reconcile = (...words: string[]) => runInProcess(["reconcile", ...words, "--kubeconfig", world.kubeconfig]);
const placesOf = async (name: string) =>
  (
    await Promise.all(
      ["member1", "member2", "member3"].map(async (member) =>
        (await kubectl.run("--context", member, "get", "deployments", "-o", "name")).includes(`/${name}\n`)
          ? [member]
          : [],
      ),
    )
  ).flat();
vi.setConfig({ testTimeout: 120_000 });
const waitPending = (reason: string, ...names: string[]) =>
  kubectl.run(
    "wait",
    `--for=jsonpath={.status.conditions[?(@.type=="PolicyPending")].reason}=${reason}`,
    ...names.map((name) => `resourcebinding/${name}-deployment`),
    "--timeout=60s",
  );

describe("what is pending", () => {
  beforeEach(async () => {
    await kubectl.run("delete", "deployments", "--all", "--wait");
    await kubectl.run("wait", "--for=delete", "resourcebindings", "--all", "--timeout=60s");
    await apply(
      policy("member1") + deployment("api", "back") + deployment("shop", "front") + deployment("web", "front"),
    );
    for (const name of ["api", "shop", "web"]) {
      await kubectl.run("wait", "--for=create", `resourcebinding/${name}-deployment`, "--timeout=60s");
      await kubectl.run("wait", "--for=condition=FullyApplied", `resourcebinding/${name}-deployment`, "--timeout=60s");
    }
    await apply(policy("member2"));
    await waitPending("PolicyChanged", "api", "shop", "web");
  });

  test("takes effect by name, and what is done is not done again", async () => {
    const first = await reconcile("deployment/web");
    expect(first).toEqual({
      code: 0,
      stdout: "1 reconciled",
      stderr: "Deployment default/web: released\nDeployment default/web: healthy",
    });
    expect(await Promise.all(["web", "api"].map(placesOf))).toEqual([["member2"], ["member1"]]);
    expect(await reconcile("deployment", "web")).toEqual({ code: 0, stdout: "nothing is pending", stderr: "" });
  });

  test("is planned first, and nothing is written", async () => {
    const { code, stdout, stderr } = await reconcile("deployment/web", "--plan");
    expect(code, stderr).toBe(3);
    expect(stdout).toContain("1 template affected: 1 moves");
    expect(stdout).toMatch(/clusters +member1:1 → member2:1/);
    expect(await placesOf("web")).toEqual(["member1"]);
    await waitPending("PolicyChanged", "web");
  });

  test("takes effect by label and by policy, in waves", async () => {
    expect((await reconcile("-l", "tier=back")).stdout).toBe("1 reconciled");
    const rest = await reconcile("--policy", "default", "--max-in-flight", "1");
    expect(rest.stdout).toBe("2 reconciled");
    expect(rest.stderr.split("\n")).toEqual([
      "Deployment default/shop: released",
      "Deployment default/shop: healthy",
      "Deployment default/web: released",
      "Deployment default/web: healthy",
    ]);
  });

  test("goes cluster by cluster, stops where it is not well, and goes on there", async () => {
    await apply(policy("member2, member3"));
    await kubectl.run("--context", "member3", "create", "deployment", "web", "--image=other");
    const first = await reconcile(
      "all",
      "-l",
      "tier=front",
      "--cluster-order",
      "member2,member3",
      "--timeout",
      "15s",
      "-o",
      "json",
    );
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)).toMatchObject({
      ended: "failed",
      done: [],
      failed: [{ name: "Deployment default/web", why: expect.stringContaining("not there after 15s") }],
      underWay: ["Deployment default/shop"],
    });
    expect(await placesOf("shop")).toEqual(["member1", "member2", "member3"]);
    await waitPending("ReleasedInOrder", "shop", "web");
    await kubectl.run("--context", "member3", "delete", "deployment", "web", "--wait");
    const second = await reconcile("all", "--cluster-order", "member2,member3", "--timeout", "60s");
    expect(second.stdout).toBe("3 reconciled");
    expect(await Promise.all(["api", "shop", "web"].map(placesOf))).toEqual(Array(3).fill(["member2", "member3"]));
    expect(second.stderr.split("\n").filter((line) => line.includes("/shop"))).toEqual([
      "Deployment default/shop: healthy",
      "Deployment default/shop: released everywhere",
      "Deployment default/shop: healthy",
    ]);
  });

  test("is brought to its end by a second run when the first was killed", async () => {
    const program = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");
    const words = ["reconcile", "all", "--cluster-order", "member2,member1", "--max-in-flight", "1"];
    const child = spawn(process.execPath, [program, ...words, "--kubeconfig", world.kubeconfig]);
    let said = "";
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.stderr.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes("Deployment default/shop: released on member2")) child.kill("SIGKILL");
    });
    await ended;
    expect(said).toContain("Deployment default/api: released on member2");
    const second = await reconcile("all", "--cluster-order", "member2,member1");
    expect(second.code, second.stderr).toBe(0);
    expect(await Promise.all(["api", "shop", "web"].map(placesOf))).toEqual(Array(3).fill(["member2"]));
    const left = await kubectl.run("get", "deployments,resourcebindings", "-o", "yaml");
    expect(left, "nothing is left behind").not.toContain("reconcile-released-on");
  });

  test("that cannot be placed fails at once", async () => {
    await apply(policy("nowhere"));
    await waitPending("PolicyChanged", "web");
    const { code, stdout } = await reconcile("deployment/web");
    expect(code).toBe(1);
    expect(stdout).toContain("failed  Deployment default/web: cannot be scheduled: ");
  });
});

describe("a mistake is told with a hint", () => {
  for (const [words, hint] of [
    [["deployment/nothing"], "hint: -n names another namespace"],
    [["unicorn/x"], "hint: see 'kubectl api-resources'"],
    [["--policy", "nobody"], "hint: looked for a PropagationPolicy"],
    [["all", "--cluster-order", "atlantis"], "hint: the clusters are member1, member2, member3"],
  ] as const)
    test(words.join(" "), async () => {
      const { code, stderr } = await reconcile(...words);
      expect(code).toBe(1);
      expect(stderr).toContain(hint);
    });
});
