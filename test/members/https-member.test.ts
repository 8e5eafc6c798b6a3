import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { systemUser } from "#app/start-cluster.ts";
import { type Client, createClient } from "#client/client.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import {
  clusters,
  core,
  deployments,
  eventually,
  putSecret,
  type RemoteMember,
  register,
  startRemoteMember,
} from "./remote-member.ts";

const key = { namespace: "default", name: "web" };
const web = (image = "nginx:1"): ApiObject =>
  ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...key, labels: { app: "web" } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }] } },
    },
  }) as unknown as ApiObject; // a manifest
const policy = {
  apiVersion: "policy.karmada.io/v1alpha1",
  kind: "PropagationPolicy",
  metadata: { namespace: "default", name: "all" },
  spec: { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }], placement: {} },
};
const policies = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  resource: "propagationpolicies",
  kind: "PropagationPolicy",
  namespaced: true,
};

let fleet: TestFleet;
let user: Client;
let byToken: RemoteMember;
let byCertificate: RemoteMember;

const inProcess = (): Client =>
  createClient({ transport: fleet.fleet.members[0]!.server, user: systemUser, manager: "kubectl-edit" });
const everywhere = () => [inProcess(), byToken.client, byCertificate.client];
const copies = () =>
  Promise.all(everywhere().map((client) => client.get(deployments, key) as Promise<Fields | undefined>));
const imageOf = (object: Fields | undefined) => object?.["spec"].template.spec.containers[0].image;
const readyOf = async (name: string) => {
  const cluster = (await user.get(clusters, { name })) as Fields | undefined;
  return cluster?.["status"]?.conditions?.find((each: Fields) => each["type"] === "Ready");
};

beforeAll(async () => {
  fleet = await startTestFleet({ members: ["near"] });
  user = createClient({ transport: fleet.fleet.controlPlane.server, user: systemUser, manager: "user" });
  byToken = await startRemoteMember("by-token");
  byCertificate = await startRemoteMember("by-certificate");
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await byToken?.[Symbol.asyncDispose]();
  await byCertificate?.[Symbol.asyncDispose]();
});

describe("members over HTTPS beside one in process", () => {
  test("join: a token or a client certificate is enough, and the cluster reports what it is", async () => {
    const { pki } = byCertificate.cluster;
    await register(user, {
      name: "by-token",
      endpoint: byToken.cluster.url,
      secret: { token: byToken.token, caBundle: byToken.cluster.pki.ca.certificate },
    });
    await register(user, {
      name: "by-certificate",
      endpoint: byCertificate.cluster.url.replace("https://", ""),
      secret: { "tls.crt": pki.admin.certificate, "tls.key": pki.admin.privateKey, caBundle: pki.ca.certificate },
    });
    for (const name of ["by-token", "by-certificate"]) {
      await eventually(
        () => readyOf(name),
        (ready) => ready?.["status"] === "True",
      );
      const cluster = (await user.get(clusters, { name })) as Fields;
      expect(cluster["status"]).toMatchObject({ kubernetesVersion: "v1.36.0", nodeSummary: { totalNum: 3 } });
      expect(cluster["status"].apiEnablements).toEqual(
        ((await user.get(clusters, { name: "near" })) as Fields)["status"].apiEnablements,
      );
    }
  });

  test("create: every member gets a copy, and the template shows what runs", async () => {
    await user.create(policies, policy);
    await user.create(deployments, web());
    await eventually(copies, (all) => all.every((each) => each?.["spec"].replicas === 2));
    await eventually(
      async () => ((await user.get(deployments, key)) as Fields)["status"],
      (status) => status?.readyReplicas === 6,
    );
  });

  test("update: an edit of the template arrives", async () => {
    const patch = { spec: { template: { spec: { containers: [{ name: "web", image: "nginx:2" }] } } } };
    await user.patch(deployments, key, { type: "strategic", patch });
    await eventually(copies, (all) => all.every((each) => imageOf(each) === "nginx:2"));
  });

  test("drift: what somebody changes in a member is put right, what somebody deletes comes back", async () => {
    await byToken.client.patch(deployments, key, { type: "merge", patch: { spec: { replicas: 7 } } });
    await eventually(copies, (all) => all.every((each) => each?.["spec"].replicas === 2));
    const before = (await byCertificate.client.get(deployments, key))?.metadata.uid;
    await byCertificate.client.delete(deployments, key);
    await eventually(copies, (all) => all.every((each) => each !== undefined) && all[2]?.["metadata"].uid !== before);
  });

  test("a changed secret is used at once, a wrong token makes the member unreachable to nobody but itself", async () => {
    const caBundle = byToken.cluster.pki.ca.certificate;
    await putSecret(user, "by-token", { token: "wrong", caBundle });
    await user.patch(deployments, key, { type: "merge", patch: { spec: { replicas: 3 } } });
    await eventually(
      copies,
      ([near, , certificate]) => near?.["spec"].replicas === 3 && certificate?.["spec"].replicas === 3,
    );
    expect((await byToken.client.get(deployments, key))?.["spec"]).toMatchObject({ replicas: 2 });
    await putSecret(user, "by-token", { token: byToken.token, caBundle });
    await eventually(copies, (all) => all.every((each) => each?.["spec"].replicas === 3));
  });

  test("delete: every copy goes, and nothing is left behind", async () => {
    await user.delete(deployments, key);
    await eventually(copies, (all) => all.every((each) => each === undefined));
    const bindings = {
      group: "work.karmada.io",
      version: "v1alpha2",
      resource: "resourcebindings",
      kind: "ResourceBinding",
      namespaced: true,
    };
    await eventually(
      async () => (await user.list(bindings)).items.length,
      (count) => count === 0,
    );
  });

  test("unjoin: the cluster goes, and its namespace with it", async () => {
    await user.delete(clusters, { name: "by-certificate" });
    await eventually(
      () => user.get(clusters, { name: "by-certificate" }),
      (cluster) => cluster === undefined,
    );
    await eventually(
      () => user.get(core("namespaces", "Namespace", false), { name: "karmada-es-by-certificate" }),
      (found) => found === undefined,
    );
  });
});

describe("a cluster that cannot be connected to says why", () => {
  const rows: readonly [string, string, Readonly<Record<string, string>>, RegExp][] = [
    ["plain", "http://192.0.2.1", { token: "t" }, /spec.apiEndpoint must be https, not http/],
    ["empty", "https://192.0.2.1", { caBundle: "x" }, /the secret has neither a token nor tls.crt and tls.key/],
  ];
  for (const [name, endpoint, secret, why] of rows) {
    test(`${endpoint} with ${Object.keys(secret)}`, async () => {
      await register(user, { name, endpoint, secret });
      const ready = await eventually(
        () => readyOf(name),
        (seen) => seen !== undefined,
      );
      expect(ready).toMatchObject({
        status: "False",
        reason: "ClusterNotReachable",
        message: expect.stringMatching(why),
      });
      expect(ready?.["message"]).toMatch(/^cluster is not reachable/);
    });
  }
});
