import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ClusterPki } from "#app/certificates.ts";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import type { Client } from "#client/client.ts";
import { clusters, deployments, type RemoteMember, startRemoteMember } from "#test/members/remote-member.ts";
import { clientOf } from "#test/world/cluster.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { Flotilla } from "./program.ts";

const { Secret, Namespace, ServiceAccount, ClusterRole, ClusterRoleBinding } = kubernetesResources;
const soon = { timeout: 20_000, interval: 50 };
let world: TestFleet;
let control: Client;
let remote: RemoteMember;
let flotilla: Flotilla;
let folder: string;
let remoteFile: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "flotilla-join-"));
  [world, remote] = await Promise.all([startTestFleet({ members: ["sim"] }), startRemoteMember("remote")]);
  control = clientOf(world.fleet.controlPlane.server);
  flotilla = new Flotilla({ KUBECONFIG: world.kubeconfig });
  remoteFile = kubeconfigOf("remote", remote.cluster.url, remote.cluster.pki);
});
afterAll(async () => {
  flotilla.stop();
  await Promise.all([world[Symbol.asyncDispose](), remote[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

function kubeconfigOf(name: string, server: string, pki: ClusterPki): string {
  const file = join(folder, `${name}.kubeconfig`);
  writeFileSync(file, renderKubeconfig([{ name, server, pki }]));
  return file;
}

const readyOf = (cluster: ApiObject | undefined): string | undefined =>
  ((cluster as Fields | undefined)?.["status"]?.conditions as readonly Fields[] | undefined)?.find(
    ({ type }) => type === "Ready",
  )?.["status"];

const deployment = (name: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace: "default" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "nginx:1" }] } },
  },
});

describe("flotilla join", () => {
  test("with --dry-run writes nothing anywhere", async () => {
    const before = await control.list(clusters);
    const out = await flotilla.output("join", "paris", "--cluster-kubeconfig", remoteFile, "--dry-run");
    expect(out).toContain("member: serviceaccount/karmada-paris created (dry run)\n");
    expect(out).toContain("control plane: cluster/paris created (dry run)\n");
    expect((await control.list(clusters)).items).toHaveLength(before.items.length);
    expect(await remote.client.get(Namespace, { name: "karmada-cluster" })).toBeUndefined();
  });

  test("makes a real cluster a member beside simulated ones", async () => {
    const traits = ["--cluster-region", "north", "--cluster-provider", "metal", "--cluster-zones", "a,b"];
    const out = await flotilla.output("join", "paris", "--cluster-kubeconfig", remoteFile, ...traits);
    expect(out).toBe("cluster(paris) is joined successfully\n");
    const kubeSystem = await remote.client.get(Namespace, { name: "kube-system" });
    const cluster = await control.get(clusters, { name: "paris" });
    expect(cluster?.["spec"]).toMatchObject({
      id: kubeSystem?.metadata.uid,
      syncMode: "Push",
      apiEndpoint: remote.cluster.url,
      secretRef: { namespace: "karmada-cluster", name: "paris" },
      impersonatorSecretRef: { namespace: "karmada-cluster", name: "paris-impersonator" },
      region: "north",
      provider: "metal",
      zones: ["a", "b"],
    });
    await vi.waitFor(async () => expect(readyOf(await control.get(clusters, { name: "paris" }))).toBe("True"), soon);
  });

  test("sends workloads there", async () => {
    await control.create(deployments, deployment("web"));
    const policies = {
      ...clusters,
      group: "policy.karmada.io",
      resource: "propagationpolicies",
      kind: "PropagationPolicy",
      namespaced: true,
    };
    await control.create(policies, {
      apiVersion: "policy.karmada.io/v1alpha1",
      kind: "PropagationPolicy",
      metadata: { name: "web", namespace: "default" },
      spec: { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }], placement: {} },
    });
    const inSim = clientOf(world.fleet.members[0]!.server);
    const key = { namespace: "default", name: "web" };
    for (const member of [inSim, remote.client])
      await vi.waitFor(async () => expect(await member.get(deployments, key)).toBeDefined(), soon);
  });

  test("gives the account no right to rights", async () => {
    const role = await remote.client.get(ClusterRole, { name: "karmada-controller-manager:karmada-paris" });
    const verbs = ((role as Fields)["rules"] as readonly Fields[]).flatMap(({ verbs: each }) => each as string[]);
    for (const verb of ["*", "escalate", "bind", "impersonate", "deletecollection"]) expect(verbs).not.toContain(verb);
  });

  test("refuses the same cluster under another name, and another cluster under the same", async () => {
    const again = await flotilla.run("join", "rome", "--cluster-kubeconfig", remoteFile);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('this cluster is joined already, as "paris"')]);
    const simFile = kubeconfigOf("sim", world.fleet.members[0]!.url, world.fleet.members[0]!.pki);
    const sim = await flotilla.run("join", "simulated", "--cluster-kubeconfig", simFile);
    expect(sim.err).toContain('this cluster is joined already, as "sim"');
    const itself = await flotilla.run("join", "self", "--cluster-kubeconfig", world.kubeconfig);
    expect(itself.err).toContain("cannot join the control plane to itself");
  });

  test("is misuse without a kubeconfig, or with a name that is none", async () => {
    expect((await flotilla.run("join", "rome")).code).toBe(2);
    expect((await flotilla.run("join", "Rome", "--cluster-kubeconfig", remoteFile)).code).toBe(2);
  });

  test("says so where there is no control plane", async () => {
    const { code, err } = await flotilla.run(
      "join",
      "a",
      "--kubeconfig",
      remoteFile,
      "--cluster-kubeconfig",
      world.kubeconfig,
    );
    expect([code, err]).toEqual([1, expect.stringContaining("this is no control plane")]);
  });
});

describe("a server that redirects", () => {
  let thief: Server;
  let redirecting: Server;
  let stolen = 0;
  beforeAll(async () => {
    const { certificate: cert, privateKey: key } = remote.cluster.pki.server;
    thief = createServer({ cert, key }, (_, response) => {
      stolen++;
      response.end("{}");
    });
    await listening(thief);
    const location = `https://127.0.0.1:${(thief.address() as AddressInfo).port}/`;
    redirecting = createServer({ cert, key }, (_, response) => void response.writeHead(307, { location }).end());
    await listening(redirecting);
  });
  afterAll(() => {
    for (const server of [thief, redirecting]) {
      server.closeAllConnections();
      server.close();
    }
  });
  const listening = (server: Server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  test("is not followed, and gets no cluster registered", async () => {
    const url = `https://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const file = kubeconfigOf("redirecting", url, remote.cluster.pki);
    const { code, err } = await flotilla.run("join", "away", "--cluster-kubeconfig", file);
    expect([code, err]).toEqual([1, expect.stringContaining("the server redirects (code 307), which is not followed")]);
    expect(stolen).toBe(0);
    expect(await control.get(clusters, { name: "away" })).toBeUndefined();
  });
});

describe("cordon and taint", () => {
  test("change the cluster, and say when there was nothing to do", async () => {
    expect(await flotilla.output("cordon", "paris", "--dry-run")).toBe("paris cluster cordoned (dry run)\n");
    expect(await flotilla.output("cordon", "paris")).toBe("paris cluster cordoned\n");
    expect(await flotilla.output("cordon", "paris")).toBe("paris cluster already cordoned\n");
    const tainted = await control.get(clusters, { name: "paris" });
    expect((tainted as Fields)["spec"].taints).toMatchObject([
      { key: "cluster.karmada.io/unschedulable", effect: "NoSchedule" },
    ]);
    expect(await flotilla.output("uncordon", "paris")).toBe("paris cluster uncordoned\n");
    expect(await flotilla.output("taint", "clusters", "paris", "sim", "a=b:NoSchedule")).toBe(
      "cluster/paris tainted\ncluster/sim tainted\n",
    );
    expect(await flotilla.output("taint", "clusters", "paris", "sim", "a-")).toBe(
      "cluster/paris untainted\ncluster/sim untainted\n",
    );
  });

  test("name the clusters that there are when one is not there", async () => {
    const { code, err } = await flotilla.run("cordon", "rome");
    expect([code, err]).toEqual([1, 'error: cannot find cluster "rome"\nhint: the clusters are paris, sim\n']);
  });
});

describe("flotilla unjoin", () => {
  test("removes what was sent, the registration, the credentials and the account", async () => {
    const dry = await flotilla.output("unjoin", "paris", "--cluster-kubeconfig", remoteFile, "--dry-run");
    expect(dry).toContain("control plane: cluster/paris deleted (dry run)\n");
    expect(await control.get(clusters, { name: "paris" })).toBeDefined();
    await flotilla.output("unjoin", "paris", "--cluster-kubeconfig", remoteFile);
    expect(await control.get(clusters, { name: "paris" })).toBeUndefined();
    for (const name of ["paris", "paris-impersonator"])
      expect(await control.get(Secret, { namespace: "karmada-cluster", name })).toBeUndefined();
    expect(await remote.client.get(deployments, { namespace: "default", name: "web" })).toBeUndefined();
    const role = { name: "karmada-controller-manager:karmada-paris" };
    expect(await remote.client.get(ClusterRole, role)).toBeUndefined();
    expect(await remote.client.get(ClusterRoleBinding, role)).toBeUndefined();
    const account = { namespace: "karmada-cluster", name: "karmada-paris" };
    expect(await remote.client.get(ServiceAccount, account)).toBeUndefined();
    await vi.waitFor(
      async () => expect(await remote.client.get(Namespace, { name: "karmada-cluster" })).toBeUndefined(),
      soon,
    );
    const { code, err } = await flotilla.run("unjoin", "paris");
    expect([code, err]).toEqual([1, expect.stringContaining('cannot find cluster "paris"')]);
  });

  test("lets a cluster that does not answer any more go by force", async () => {
    const lost = await startRemoteMember("lost");
    const file = kubeconfigOf("lost", lost.cluster.url, lost.cluster.pki);
    await flotilla.output("join", "lost", "--cluster-kubeconfig", file);
    await vi.waitFor(async () => expect(readyOf(await control.get(clusters, { name: "lost" }))).toBe("True"), soon);
    await control.create(deployments, deployment("late"));
    const late = { namespace: "default", name: "late" };
    await vi.waitFor(async () => expect(await lost.client.get(deployments, late)).toBeDefined(), soon);
    await lost[Symbol.asyncDispose]();
    const stuck = await flotilla.run("unjoin", "lost", "--wait", "1s");
    expect([stuck.code, stuck.err]).toEqual([1, expect.stringContaining("works of it are still there")]);
    const forced = await flotilla.run("unjoin", "lost", "--wait", "2s", "--force");
    expect(forced.err).toContain("was left alone");
    expect(forced.code).toBe(0);
    expect(await control.get(clusters, { name: "lost" })).toBeUndefined();
  });
});
