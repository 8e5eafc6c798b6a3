import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { eventually, startRemoteMember } from "#test/members/remote-member.ts";
import { startBareServer } from "./bare-server.ts";
import { Flotilla, saying } from "./program.ts";

const manifests = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: web, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }]
  placement: { clusterAffinity: { clusterNames: [paris] } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: nginx }] } }
`;
let flotilla: Flotilla | undefined;
afterAll(() => flotilla?.stop());

test("without a webhook workloads go to members and their status comes back; what is not served is not watched", async () => {
  await using control = await startBareServer("control-plane");
  await using paris = await startRemoteMember("paris");
  flotilla = new Flotilla({ KUBECONFIG: control.kubeconfig });
  await flotilla.output("install", "--no-webhook");
  const flags = ["--metrics-bind-address=0", "--health-probe-bind-address=0", "--allow-loopback-members"];
  const controllers = flotilla.start("controllers", ...flags);
  let log = "";
  controllers.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  await saying(controllers, /^running$/m);
  const kubectl = new Kubectl("v36", control.kubeconfig);
  const { url: server, pki } = paris.cluster;
  const file = join(kubectl.folder, "paris.kubeconfig");
  writeFileSync(file, renderKubeconfig([{ name: "paris", server, pki }]));
  await flotilla.output("join", "paris", "--cluster-kubeconfig", file);
  await kubectl.feed(manifests, "apply", "-f", "-");
  const ready = () => kubectl.run("get", "deployment", "web", "-o", "jsonpath={.status.readyReplicas}");
  await eventually(ready, (found) => found === "2", 60_000);
  const id = "propagationpolicy\\.karmada\\.io/permanent-id";
  const idOf = (what: string) => kubectl.run("get", what, "web", "-o", `jsonpath={.metadata.labels.${id}}`);
  expect(await idOf("propagationpolicy")).toMatch(/^[-0-9a-f]{36}$/);
  expect(await idOf("deployment")).toBe(await idOf("propagationpolicy"));
  await kubectl.run("delete", "propagationpolicy", "web", "--timeout=30s"); // it goes when nothing carries its id
  expect(await idOf("deployment")).toBe("");
  await kubectl.run("delete", "deployment", "web");
  const left = () => kubectl.run("get", "works", "-A", "-o", "name");
  await eventually(left, (found) => !found.includes("web-"), 60_000);
  expect(log).not.toContain("apiservices");
}, 120_000);
