import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { requireTmux, Screen } from "./tmux.ts";

let world: TestFleet;
let kubectl: Kubectl;
const program = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");
const names = ["api", "shop", "web"];

const policy = (cluster: string) => `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: { name: default }
spec:
  activationPreference: Lazy
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
  placement: { clusterAffinity: { clusterNames: [${cluster}] } }
`;
const deployment = (name: string) => `
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default }
spec:
  selector: { matchLabels: { app: ${name} } }
  template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: c, image: "nginx:1" }] } }
`;

beforeAll(async () => {
  requireTmux();
  world = await startTestFleet({ members: ["member1", "member2"] });
  kubectl = new Kubectl("v36", world.kubeconfig);
  await kubectl.run("wait", "--for=condition=Ready", "clusters", "--all", "--timeout=60s");
  await kubectl.feed(policy("member1") + names.map(deployment).join(""), "apply", "-f", "-");
  for (const name of names) {
    await kubectl.run("wait", "--for=create", `resourcebinding/${name}-deployment`, "--timeout=60s");
    await kubectl.run("wait", "--for=condition=FullyApplied", `resourcebinding/${name}-deployment`, "--timeout=60s");
  }
}, 180_000);
vi.setConfig({ testTimeout: 180_000 });
afterAll(() => world[Symbol.asyncDispose]());

const open = (environment: Readonly<Record<string, string>> = {}) => {
  const screen = new Screen({ environment: { KUBECONFIG: world.kubeconfig, ...environment } });
  screen.type(`flotilla() { ${process.execPath} ${program} "$@"; }; clear`);
  return screen;
};
const pending = async (cluster: string) => {
  await kubectl.feed(policy(cluster), "apply", "-f", "-");
  const reason = '--for=jsonpath={.status.conditions[?(@.type=="PolicyPending")].reason}=PolicyChanged';
  await kubectl.run("wait", reason, ...names.map((name) => `resourcebinding/${name}-deployment`), "--timeout=60s");
};

test("progress grows in place, in colour, and Ctrl-C leaves word of what was done", async () => {
  await pending("member2");
  await kubectl.run("--context", "member2", "create", "deployment", "shop", "--image=other"); // in the way
  using screen = open();
  screen.type("flotilla reconcile all --max-in-flight 1; echo code $?");
  const busy = await screen.shows(/^[█]+░+ 1\/3\n +Deployment default\/shop +waits for success/m);
  expect(busy.match(/Deployment default\/shop/g), "drawn once, whatever happened before").toHaveLength(1);
  expect(screen.look({ coloured: true })).toMatch(/\u001b\[32m█/);
  screen.press("C-c");
  const ended = await screen.shows(/^code 1$/m);
  expect(ended).toMatch(
    /^begun +Deployment default\/shop\n1 reconciled, 1 begun, 1 not begun\nhint: run the same command again to go on$/m,
  );
  expect(ended, "the bar is gone").not.toContain("█");
  await kubectl.run("--context", "member2", "delete", "deployment", "shop", "--wait");
  screen.type("clear; flotilla reconcile all; echo code $?");
  await screen.shows(/^[12] reconciled\ncode 0$/m); // the one that was in the way may be well by now
  expect(await kubectl.run("--context", "member2", "get", "deployments", "-o", "name")).toBe(
    names.map((name) => `deployment.apps/${name}\n`).join(""),
  );
});

test("a watched table is drawn in place, and Ctrl-C ends it", async () => {
  using screen = open();
  screen.type("flotilla get configmaps -l watched=yes -w; echo code $?");
  await screen.shows(/^NAME +CLUSTER/m);
  await kubectl.run("create", "configmap", "seen", "--from-literal=a=b");
  await kubectl.run("label", "configmap", "seen", "watched=yes");
  await screen.shows(/^seen +flotilla +1 /m);
  await kubectl.run("patch", "configmap", "seen", "--type=merge", "-p", '{"data":{"c":"d"}}');
  const text = await screen.shows(/^seen +flotilla +2 /m);
  expect(text.match(/^seen /gm), "one line for one object").toHaveLength(1);
  screen.press("C-c");
  await screen.shows(/^\^Ccode 0$/m);
});

test("colours are for terminals, and for those who want them", async () => {
  using screen = open();
  screen.type("flotilla lint --live --strict");
  await screen.shows(/nothing is wrong|warning/);
  screen.type("clear; flotilla tree deployment/api");
  expect(await screen.shows(/healthy/, { coloured: true })).toMatch(/\u001b\[32mapplied/);
  using plain = open({ NO_COLOR: "1" });
  plain.type("flotilla tree deployment/api");
  expect(await plain.shows(/healthy/, { coloured: true })).not.toContain("\u001b[");
});
