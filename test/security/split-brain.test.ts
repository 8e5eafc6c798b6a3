import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { Works } from "#api/work/work.ts";
import { leases } from "#runtime/decide-lease.ts";
import { writeAccountKubeconfig } from "#test/cli/account-kubeconfig.ts";
import { type BareServer, startBareServer } from "#test/cli/bare-server.ts";
import { Flotilla, saying } from "#test/cli/program.ts";
import {
  deployments,
  eventually,
  type RemoteMember,
  register,
  startRemoteMember,
} from "#test/members/remote-member.ts";
import { http } from "#test/world/http.ts";
import { HeldRoad } from "./held-road.ts";

const key = { namespace: "default", name: "web" };
const lease = { namespace: "karmada-system", name: "flotilla-controllers" };
const works = resourceOf(Works);

let server: BareServer;
let member: RemoteMember;
let road: HeldRoad;
let flotilla: Flotilla;
let folder: string;
/** What each replica has written, by its name. */
const logs: Record<string, string> = { first: "", second: "" };
/** The images that the Work and the copy in the member have had, one after the other. */
const seen: Readonly<Record<"work" | "copy", string[]>> = { work: [], copy: [] };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "flotilla-split-"));
  [server, member] = await Promise.all([startBareServer("plain"), startRemoteMember("paris")]);
  road = await HeldRoad.to(server.cluster.url);
  flotilla = new Flotilla({ KUBECONFIG: server.kubeconfig });
  await flotilla.output("install", "--no-webhook");
  const { token, cluster } = member;
  const secret = { token, caBundle: cluster.pki.ca.certificate };
  await register(server.client, { name: "paris", endpoint: cluster.url, secret });
  await saying(await startReplica("first", road.url), /"leading"/);
  await saying(await startReplica("second", server.cluster.url), /^running$/m);
  await follow();
  await server.client.create(resourceOf(PropagationPolicies.namespaced), {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: key,
    spec: { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }], placement: {} },
  });
  const labels = { app: "web" };
  const spec = { containers: [{ name: "web", image: "nginx:1" }] };
  await server.client.create(deployments, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: key,
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  await arrived("nginx:1");
});
afterAll(async () => {
  flotilla?.stop();
  for (const each of [road, member, server]) await each?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** With a short lease, by a way of its own. */
async function startReplica(name: string, url: string) {
  const kubeconfig = await writeAccountKubeconfig({
    account: "flotilla-controllers",
    client: server.client,
    server: url,
    ca: server.cluster.pki.ca.certificate,
    file: join(folder, name),
  });
  const times = [
    "--leader-elect-lease-duration=3s",
    "--leader-elect-renew-deadline=2s",
    "--leader-elect-retry-period=500ms",
  ];
  const flags = ["--metrics-bind-address=0", "--health-probe-bind-address=0", "--allow-loopback-members"];
  const child = flotilla.start("controllers", "--kubeconfig", kubeconfig, "--log-level=debug", ...times, ...flags);
  child.stderr?.on("data", (chunk: Buffer) => {
    logs[name] += chunk.toString();
  });
  return child;
}

/** Notes every image that is stored. */
async function follow(): Promise<void> {
  const note = (images: string[], image: string | undefined) => {
    if (image !== undefined && images.at(-1) !== image) images.push(image);
  };
  const sources = [
    { images: seen.work, source: await server.client.watch(works), templateIn: manifestOf },
    { images: seen.copy, source: await member.client.watch(deployments), templateIn: (object: ApiObject) => object },
  ];
  for (const { images, source, templateIn } of sources)
    source.start({
      event: (event) => "object" in event && note(images, imageOf(templateIn(event.object))),
      end: () => images.push("the end of the watch"),
    });
}

const manifestOf = (work: ApiObject): Fields | undefined => (work as Fields)["spec"].workload.manifests[0];
const imageOf = (object: Fields | undefined): string | undefined =>
  object?.["spec"]?.template?.spec.containers[0].image;

async function roll(image: string): Promise<void> {
  const patch = { spec: { template: { spec: { containers: [{ name: "web", image }] } } } };
  await server.client.patch(deployments, key, { type: "strategic", patch });
}

async function arrived(image: string): Promise<void> {
  await eventually(
    () => [seen.work.at(-1), seen.copy.at(-1)],
    (last) => last.every((each) => each === image),
    30_000,
  );
}

test("SEC-52: what a leader sent that was held up on its way changes nothing once another leads", async () => {
  road.hold();
  await roll("nginx:2"); // the leader hears of it, and what it does about it stays on the road
  await arrived("nginx:2");
  expect(logs["second"]).toContain('"leading"');
  await roll("nginx:3");
  await arrived("nginx:3");
  const asked = vi.spyOn(server.cluster.server, "call");
  road.letGo();
  await eventually(
    () => logs["first"] ?? "",
    (log) => log.includes('"leading no more"'),
  );
  const refused = asked.mock.settledResults.filter(({ value }) => value instanceof StatusError && value.code === 409);
  expect(refused, "what was on the road did arrive").not.toEqual([]);
  await roll("nginx:4");
  await arrived("nginx:4");
  const images = ["nginx:1", "nginx:2", "nginx:3", "nginx:4"];
  expect(seen).toEqual({ work: images, copy: images });
});

test("SEC-52: whoever takes the lease away stops everybody, until it runs out", async () => {
  const thief = { holderIdentity: "thief", leaseDurationSeconds: 3 };
  const { spec } = (await server.client.patch(leases, lease, { type: "merge", patch: { spec: thief } })) as Fields;
  await eventually(
    () => logs["second"] ?? "",
    (log) => log.includes('"leading no more"'),
  );
  await roll("nginx:5");
  const held = (await server.client.get(leases, lease)) as Fields | undefined;
  expect([held?.["spec"].holderIdentity, seen.work.at(-1), seen.copy.at(-1)]).toEqual(["thief", "nginx:4", "nginx:4"]);
  await arrived("nginx:5");
  const next = (await server.client.get(leases, lease)) as Fields | undefined;
  expect(next?.["spec"]).toMatchObject({ leaseTransitions: spec.leaseTransitions + 1 });
});

test.each([
  ["a tenant", { user: "tenant" }],
  ["the webhook", { user: "system:serviceaccount:karmada-system:flotilla-webhook" }],
  ["a member's account", { user: "system:serviceaccount:karmada-cluster:karmada-paris" }],
])("SEC-52: the lease is not %s's to write", async (_, { user }) => {
  const apiGroup = "rbac.authorization.k8s.io";
  const call = (path: string, method: string, body: object, headers = {}) =>
    http(server.cluster, path, { method, body: JSON.stringify(body), headers });
  await call(`/apis/${apiGroup}/v1/namespaces/default/rolebindings`, "POST", {
    apiVersion: `${apiGroup}/v1`,
    kind: "RoleBinding",
    metadata: { name: "tenant" },
    roleRef: { apiGroup, kind: "ClusterRole", name: "admin" },
    subjects: [{ apiGroup, kind: "User", name: "tenant" }],
  });
  const all = `/apis/coordination.k8s.io/v1/namespaces/${lease.namespace}/leases`;
  const one = `${all}/${lease.name}`;
  const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: lease };
  const as = { "impersonate-user": user };
  const answers = [
    await call(all, "POST", body, as),
    await call(one, "PUT", body, as),
    await call(one, "PATCH", {}, { ...as, "content-type": "application/merge-patch+json" }),
    await call(one, "DELETE", {}, as),
    await call(all, "DELETE", {}, as),
  ];
  expect(answers.map(({ code }) => code)).toEqual([403, 403, 403, 403, 403]);
});
