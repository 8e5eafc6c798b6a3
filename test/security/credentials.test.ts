import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { resourceOf } from "#api/kind.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { workNameOf } from "#api/work/derived-names.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import { type InstalledServer, startInstalledServer } from "#test/cli/installed-server.ts";
import { Flotilla, saying } from "#test/cli/program.ts";
import { type EvilMember, json, startEvilMember } from "#test/members/evil-member.ts";
import {
  clusters,
  core,
  eventually,
  putSecret,
  type RemoteMember,
  register,
  startRemoteMember,
} from "#test/members/remote-member.ts";
import { http } from "#test/world/http.ts";

const { Secret } = kubernetesResources;

/** What nobody may read who was not given it. */
const canaries = new Set<string>();
function canary(field: string): string {
  const text = `canary-of-${field}-8f3b`;
  canaries.add(text);
  return text;
}

let installed: InstalledServer;
let member: RemoteMember;
let gossip: EvilMember;
const proxy = createServer().on("connect", ({ headers }, socket) => {
  socket.end(`HTTP/1.1 407 ${headers["proxy-authorization"]}\r\n\r\n${headers["proxy-authorization"]}`);
});

beforeAll(async () => {
  const echo = (authorization: string | undefined) => ({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: "Forbidden",
    message: `who is ${authorization}?`,
  });
  [installed, member, gossip] = await Promise.all([
    startInstalledServer(),
    startRemoteMember("well"),
    startEvilMember(({ request, response }) => {
      return request.method === "POST" && json(response, 403, echo(request.headers.authorization));
    }),
  ]);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  canaries.add(member.token);
});
afterAll(async () => {
  proxy.close();
  for (const each of [installed, member, gossip]) await each?.[Symbol.asyncDispose]();
});

/** What was printed or stored where others than the owner of a credential read. */
const seen: string[] = [];

test("SEC-16: credentials of members are in no log, condition or event, whatever goes wrong with them", async () => {
  const { client } = installed.server;
  const { url: endpoint, pki } = member.cluster;
  const caBundle = pki.ca.certificate;
  const proxied = {
    proxyURL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, // it listens on a port
    proxyHeader: { "Proxy-Authorization": canary("proxy-header") },
  };
  const brokenKey = `-----BEGIN PRIVATE KEY-----\n${canary("key")}\n-----END PRIVATE KEY-----`;
  const good = { token: member.token, caBundle };
  const well = {
    well: { endpoint, secret: good },
    gossip: { endpoint: gossip.url, secret: { token: canary("told-token"), caBundle: gossip.ca } },
  };
  const unwell = {
    refused: { endpoint, secret: { token: canary("token"), caBundle } },
    odd: { endpoint, secret: { token: `${canary("odd-token")}\n${canary("second-line")}`, caBundle } },
    keyless: { endpoint, secret: { "tls.crt": pki.admin.certificate, "tls.key": brokenKey, caBundle } },
    proxied: { endpoint, secret: good, spec: proxied },
    untrusted: { endpoint: gossip.url, secret: { token: canary("guarded-token"), caBundle } },
  };
  for (const [name, how] of Object.entries({ ...well, ...unwell })) await register(client, { name, ...how });
  const readyOf = async (name: string) => {
    const { status } = ((await client.get(clusters, { name })) ?? {}) as Fields;
    return status?.conditions?.find(({ type }: Fields) => type === "Ready");
  };
  for (const name of Object.keys({ ...well, ...unwell }))
    await eventually(
      () => readyOf(name),
      (ready) => ready?.status === (name in well ? "True" : "False"),
    );
  expect(await readyOf("refused")).toMatchObject({ reason: "ClusterCredentialsRefused" });
  expect(await readyOf("odd")).toMatchObject({ message: expect.stringContaining("the secret's token is no token") });
  await putSecret(client, "refused", { token: canary("next-token"), caBundle }); // a connection in its prime
});

/** How sending went, by how the name of a work begins. */
async function appliedOf(begin: string, namespace: string): Promise<Fields> {
  const { items } = await installed.server.client.list(resourceOf(Works), { namespace });
  const work = items.find(({ metadata: { name } }) => name.startsWith(begin)) as Fields | undefined;
  return work?.["status"]?.conditions?.find(({ type }: Fields) => type === "Applied");
}

test("SEC-16: a member that repeats what it was sent is not quoted", async () => {
  const shop = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  await installed.server.client.create(core("namespaces", "Namespace", false), shop);
  const condition = await eventually(
    () => appliedOf("shop-", "karmada-es-gossip"),
    (found) => found?.["status"] === "False",
  );
  expect(condition["message"]).toContain("who is Bearer [token]?");
});

test("SEC-16: what a member says of a Secret that it refuses does not tell the Secret", async () => {
  const { client } = installed.server;
  const metadata = { namespace: "default", name: "db" };
  const secret = (password: string) => ({ apiVersion: "v1", kind: "Secret", metadata, stringData: { password } });
  await member.client.create(Secret, { ...secret(canary("kept-password")), immutable: true });
  await client.create(Secret, secret(canary("password")));
  const policies = { ...clusters, group: "policy.karmada.io", namespaced: true };
  await client.create(
    { ...policies, resource: "propagationpolicies", kind: "PropagationPolicy" },
    {
      apiVersion: "policy.karmada.io/v1alpha1",
      kind: "PropagationPolicy",
      metadata,
      spec: {
        conflictResolution: "Overwrite",
        resourceSelectors: [{ apiVersion: "v1", kind: "Secret", name: "db" }],
        placement: { clusterAffinity: { clusterNames: ["well"] } },
      },
    },
  );
  const { message } = await eventually(
    () => appliedOf("db-", "karmada-es-well"),
    (condition) => condition?.["status"] === "False",
  );
  expect(message).toContain("immutable");
});

test("SEC-16: what people send wrongly is in no log, and the command line does not repeat it", async () => {
  const { server, flotilla, folder } = installed;
  const { cluster, kubeconfig } = server;
  const file = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const as = (user: object, { url, pki } = cluster) => ({
    "current-context": "c",
    clusters: [
      {
        name: "c",
        cluster: {
          server: url,
          "certificate-authority-data": Buffer.from(pki.ca.certificate).toString("base64"),
        },
      },
    ],
    users: [{ name: "u", user }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
  });
  const bearer = await http(cluster, `/api?access_token=${canary("query")}`, { token: canary("bearer") });
  const secrets = "/api/v1/namespaces/default/secrets";
  const odd = { apiVersion: "v1", kind: "Secret", metadata: { name: "odd" }, data: { a: `*${canary("data")}` } };
  const refused = await http(cluster, secrets, { method: "POST", body: JSON.stringify(odd) });
  expect([bearer.code, refused.code]).toEqual([401, 400]);
  seen.push(bearer.text, refused.text);

  const wrong = file("wrong", as({ token: canary("kubeconfig") }));
  const wrongMember = file("wrong-member", as({ token: canary("admin") }, member.cluster));
  const script = join(folder, "plugin");
  writeFileSync(script, `#!/bin/sh\necho '{"kind":"ExecCredential","status":{"token":"${canary("plugin")}"}}'\n`);
  chmodSync(script, 0o700);
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: script };
  const plugin = file("with-plugin", as({ exec }));
  const planned = file("planned", {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "db", namespace: "default" },
    stringData: { password: canary("next-password") },
  });
  for (const words of [
    ["get", "clusters", "--kubeconfig", wrong],
    ["get", "clusters", "--kubeconfig", plugin],
    ["join", "paris", "--cluster-kubeconfig", wrongMember],
    ["get", "clusters", "-o", "wide"],
    ["get", "secrets", "-s", "all"],
    ["describe", "clusters", "gossip"],
    ["describe", "clusters", "proxied"],
    ["describe", "secrets", "db"],
    ["describe", `works/${workNameOf({ kind: "Secret", namespace: "default", name: "db" })}`, "-n", "karmada-es-well"],
    ["tree", "secret/db"],
    ["why", "secret/db"],
    ["plan", "-f", planned],
    ["plan", "-f", planned, "-o", "json"],
    ["plan", "-f", planned, "--server-side"],
    ["lint", "--live"],
  ]) {
    const { out, err } = await flotilla.run(
      ...words,
      ...(words.includes("--kubeconfig") ? [] : ["--kubeconfig", kubeconfig]),
    );
    expect(out + err, words.join(" ")).not.toBe("");
    seen.push(`${words.join(" ")}\n${out}${err}`);
  }
});

test("SEC-16: nothing that anybody else reads has a credential in it", async () => {
  const { client } = installed.server;
  const statuses = [clusters, resourceOf(Works), resourceOf(ResourceBindings.namespaced)].map(async (resource) =>
    (await client.list(resource)).items.map((object) => (object as Fields)["status"]),
  );
  const events = (await client.list(core("events", "Event"))).items;
  expect(events).not.toEqual([]);
  const metrics = await (await fetch(installed.metricsUrl)).text();
  const log = installed.log();
  expect(log).toMatch(/"level":"debug"/);
  const everything = [log, metrics, JSON.stringify(events), JSON.stringify(await Promise.all(statuses)), ...seen];
  for (const each of canaries)
    for (const text of [each, Buffer.from(each).toString("base64").replace(/.?=*$/, "")])
      expect(everything.filter((where) => where.includes(text))).toEqual([]);
});

test("SEC-16: what a control plane keeps is for its owner alone", async () => {
  const data = mkdtempSync(join(tmpdir(), "flotilla-modes-"));
  const flotilla = new Flotilla();
  try {
    chmodSync(data, 0o755);
    const folder = join(data, "new");
    await saying(flotilla.start("up", "--data", folder, "--port", "0", "--members", "1"), /^ready$/m);
    const open = readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => path.endsWith("kubeconfig") || path.endsWith("pki.json"))
      .filter((path) => (statSync(path).mode & 0o077) !== 0);
    expect([statSync(folder).mode & 0o777, open]).toEqual([0o700, []]);
  } finally {
    flotilla.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
