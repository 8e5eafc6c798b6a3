import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { Flotilla, saying } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "flotilla-up-join-"));
const flotilla = new Flotilla();
afterAll(() => {
  flotilla.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a fleet of its own; its kubeconfig. */
async function up(name: string, members: string): Promise<string> {
  const data = join(folder, name);
  await saying(flotilla.start("up", "--memory", "--port", "0", "--members", members, "--data", data), /^ready$/m);
  return join(data, "kubeconfig");
}

test("a fleet of “flotilla up” takes clusters of other processes beside its simulated ones, and lets them go", async () => {
  const [here, there] = await Promise.all([up("here", "near"), up("there", "far")]);
  const elsewhere = ["--cluster-kubeconfig", there, "--cluster-context", "far"];
  await flotilla.output("join", "far", "--kubeconfig", here, ...elsewhere);
  const kubectl = new Kubectl("v36", here);
  await kubectl.run("wait", "--for=condition=Ready", "clusters", "--all", "--timeout=60s");
  await kubectl.run("create", "deployment", "web", "--image=nginx", "--replicas=2");
  const policy = {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "web", namespace: "default" },
    spec: {
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }],
      placement: { replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Weighted" } },
    },
  };
  expect((await kubectl.try(["apply", "-f", "-"], { input: JSON.stringify(policy) })).code).toBe(0);
  await kubectl.run("wait", "--for=jsonpath={.status.readyReplicas}=2", "deployment/web", "--timeout=60s");
  const inFar = new Kubectl("v36", there);
  expect(await inFar.run("--context", "far", "get", "deployment", "web", "-o", "jsonpath={.spec.replicas}")).toBe("1");
  await flotilla.output("unjoin", "far", "--kubeconfig", here, ...elsewhere);
  expect((await inFar.try(["--context", "far", "get", "deployment", "web"])).code).not.toBe(0);
  expect(await kubectl.run("get", "clusters", "-o", "name")).toBe("cluster.cluster.karmada.io/near\n");
}, 150_000);
