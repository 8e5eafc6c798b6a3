import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Clusters } from "#api/cluster/cluster.ts";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { resourceOf } from "#api/kind.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import { type BareServer, startBareServer } from "./bare-server.ts";
import { Flotilla } from "./program.ts";

let server: BareServer;
let flotilla: Flotilla;

beforeAll(async () => {
  server = await startBareServer("plain");
  flotilla = new Flotilla({ KUBECONFIG: server.kubeconfig });
});
afterAll(async () => {
  flotilla.stop();
  await server[Symbol.asyncDispose]();
});

const policies = resourceOf(PropagationPolicies.cluster);
const policy = {
  apiVersion: "policy.karmada.io/v1alpha1",
  kind: "ClusterPropagationPolicy",
  metadata: { name: "kept", finalizers: ["karmada.io/cluster-propagation-policy-controller", "example.com/other"] },
  spec: { resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", name: "a" }] },
};
const cluster = {
  apiVersion: "cluster.karmada.io/v1alpha1",
  kind: "Cluster",
  metadata: { name: "paris" },
  spec: { syncMode: "Push" },
};

describe("flotilla install", () => {
  test("prints what it would write, without asking any server", async () => {
    const nowhere = new Flotilla();
    const documents = parseYamlDocuments(await nowhere.output("install", "--dry-run", "-o", "yaml"));
    const kinds = documents.map(({ value }) => (value as { kind: string }).kind);
    expect(new Set(kinds)).toEqual(new Set(Object.keys(kubernetesResources).filter((kind) => kind !== "Secret")));
    expect(documents.every(({ duplicates }) => duplicates.length === 0)).toBe(true);
    expect((await nowhere.run("install", "-o", "yaml")).code).toBe(2);
  });

  test("makes an API server a control plane, and says at the second time that there is nothing to do", async () => {
    const first = await flotilla.run("install", "--webhook-url", "https://127.0.0.1:1", "--no-webhook");
    expect([first.code, first.err]).toEqual([0, "23 objects written\n"]);
    expect(await server.client.list(policies)).toMatchObject({ items: [] });
    const revision = server.cluster.server.core.store.revision;
    const second = await flotilla.run("install", "--no-webhook");
    expect(second).toMatchObject({ code: 0, err: "nothing to do: everything is installed\n" });
    expect(second.out.split("\n").filter((line) => line !== "" && !line.endsWith(" unchanged"))).toEqual([]);
    expect(server.cluster.server.core.store.revision).toBe(revision);
  });

  test("mends what was changed, and leaves alone what others added", async () => {
    const { ClusterRole } = kubernetesResources;
    const key = { name: "flotilla-controllers" };
    const patch = { metadata: { labels: { team: "a" } }, rules: [] };
    await server.client.patch(ClusterRole, key, { type: "merge", patch });
    const { out } = await flotilla.run("install", "--no-webhook");
    expect(out).toContain("clusterrole/flotilla-controllers configured\n");
    const mended = await server.client.get(ClusterRole, key);
    expect(mended?.metadata.labels?.["team"]).toBe("a");
    expect(mended?.["rules"]).toHaveLength(5);
  });

  test("sends writes to the webhook only where one is wanted, and all of them fail closed", async () => {
    await flotilla.output("install", "--webhook-url", "https://hook.example:8443/x/");
    for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] as const) {
      const found = await server.client.get(kubernetesResources[kind], { name: "flotilla" });
      for (const hook of found!["webhooks"] as readonly { failurePolicy: string; clientConfig: { url: string } }[]) {
        expect(hook.failurePolicy).toBe("Fail");
        expect(hook.clientConfig.url).toMatch(/^https:\/\/hook\.example:8443\/x\/(mutate|validate)$/);
      }
    }
    await expect(server.client.create(policies, policy)).rejects.toThrow("failed calling webhook");
    const { code, err } = await flotilla.run("install", "--webhook-url", "http://hook.example");
    expect([code, err]).toEqual([2, expect.stringContaining("hint: write https://host:port")]);
  });

  test("does not take over what somebody else installed unless told so", async () => {
    const { CustomResourceDefinition } = kubernetesResources;
    const key = { name: "works.work.karmada.io" };
    const labels = { "app.kubernetes.io/managed-by": null };
    await server.client.patch(CustomResourceDefinition, key, { type: "merge", patch: { metadata: { labels } } });
    const { code, err } = await flotilla.run("install", "--no-webhook");
    expect([code, err]).toEqual([1, expect.stringContaining("1 of our kinds are there already")]);
    expect(await flotilla.output("install", "--no-webhook", "--adopt")).toContain("works.work.karmada.io configured");
  });
});

describe("flotilla uninstall", () => {
  test("refuses while clusters are joined, and says what to do", async () => {
    for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] as const)
      await server.client.delete(kubernetesResources[kind], { name: "flotilla" });
    await server.client.create(resourceOf(Clusters), cluster);
    const { code, err } = await flotilla.run("uninstall");
    expect(code).toBe(1);
    expect(err).toContain("cannot uninstall: a cluster is joined: paris\n");
    expect(err).toContain("flotilla unjoin paris");
    expect(await server.client.list(policies)).toMatchObject({ items: [] });
    await server.client.delete(resourceOf(Clusters), { name: "paris" });
  });

  test("says what keeps a kind, and drops our finalizers when told so", async () => {
    await server.client.create(policies, policy);
    const stuck = await flotilla.run("uninstall", "--timeout", "3s");
    expect(stuck.code).toBe(1);
    expect(stuck.err).toContain("cannot remove clusterpropagationpolicies.policy.karmada.io: objects of it are kept");
    const kept = await flotilla.run("uninstall", "--timeout", "3s", "--force");
    expect(kept.code).toBe(1); // somebody else's finalizer is not ours to drop
    expect((await server.client.get(policies, { name: "kept" }))?.metadata.finalizers).toEqual(["example.com/other"]);
    const patch = { metadata: { finalizers: null } };
    await server.client.patch(policies, { name: "kept" }, { type: "merge", patch });
  });

  test("removes all that was installed and nothing else", async () => {
    const { Namespace, ClusterRole, CustomResourceDefinition } = kubernetesResources;
    const dry = await flotilla.output("uninstall", "--dry-run");
    expect(dry).toContain("namespace/karmada-system deleted (dry run)");
    expect(await server.client.get(Namespace, { name: "karmada-system" })).toBeDefined();
    await flotilla.output("uninstall");
    expect((await server.client.list(CustomResourceDefinition)).items).toEqual([]);
    expect(await server.client.get(ClusterRole, { name: "flotilla-controllers" })).toBeUndefined();
    expect(await server.client.get(ClusterRole, { name: "cluster-admin" })).toBeDefined();
    expect((await server.client.get(Namespace, { name: "karmada-system" }))?.metadata.deletionTimestamp).toBeDefined();
    const again = await flotilla.run("uninstall");
    expect(again).toMatchObject({ code: 0 });
  });
});
