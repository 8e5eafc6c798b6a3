import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InFlightLimit } from "#apiserver/http/in-flight-limit.ts";
import { defaultServerLimits } from "#apiserver/http/server-limits.ts";
import { type HttpCall, http } from "#test/world/http.ts";
import { type Http2Answer, Http2Connection } from "#test/world/http2.ts";
import { Attacker } from "./attacker.ts";
import { allowedMs, measured, p99 } from "./machine-speed.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const cms = "/api/v1/namespaces/default/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const post = (body: unknown): HttpCall => ({ method: "POST", body: JSON.stringify(body) });
const merge = (body: unknown): HttpCall => ({
  method: "PATCH",
  body: JSON.stringify(body),
  headers: { "content-type": "application/merge-patch+json" },
});

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess();
});
afterAll(async () => {
  expect(server.isAlive(), "the process lives").toBe(true);
  await server[Symbol.asyncDispose]();
});

describe("SEC-45: watches without end", measured, () => {
  const connections = 20;
  const perConnection = 1_000;

  test("20,000 of one user: 200 are served, the others get 429 with Retry-After, nobody else notices", async () => {
    using attacker = new Attacker(server);
    using other = new Http2Connection(server);
    const token = await tokenOf("greedy");
    await other.send(leases, { method: "POST", body: JSON.stringify(lease()) });
    const path = `${cms}?watch=true&resourceVersion=0`;
    let over = false;
    const attack = attacker.start({ attack: "watches", token, path, connections, perConnection }).finally(() => {
      over = true;
    });
    const times = await renewUntil(other, () => over);
    expect((await attack).counts).toEqual({ "200": 200, "429 1": connections * perConnection - 200 });
    expect(times.length).toBeGreaterThan(10);
    expect(p99(times)).toBeLessThan(allowedMs(p99(times), 500));
    expect((await openWatch(other)).code, "another user's watch").toBe(200);
  }, 120_000);

  test("the numbers are those of the limits: for users, for masters, for all", () => {
    const limits = { ...defaultServerLimits, watchesPerUser: 2, watchesPerMaster: 3, watches: 4 };
    const gate = new InFlightLimit(limits);
    const enter = (name: string, ...groups: string[]) => gate.enter({ name, groups }, "watch");
    const refused = expect.objectContaining({ code: 429, details: { retryAfterSeconds: 1 } });
    const leave = enter("a");
    enter("a");
    expect(() => enter("a")).toThrow(refused);
    enter("b", "system:masters");
    enter("b", "system:masters");
    expect(() => enter("c"), "four are all there may be").toThrow(refused);
    expect(() => gate.enter({ name: "a", groups: [] }, "get")).not.toThrow();
    leave();
    enter("a");
    expect(defaultServerLimits).toMatchObject({ watchesPerUser: 200, watchesPerMaster: 2_000, watches: 10_000 });
  });

  test("a watcher that does not keep up is told 410 and ended, the others go on", async () => {
    await http(server, cms, post({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "big" } }));
    const slow = await pausedWatch(`${cms}?watch=true`);
    const never = await pausedWatch(`${cms}?watch=true`);
    const selector = "fieldSelector=metadata.name%3Dbig";
    const healthy = http(server, `${cms}?watch=true&${selector}&timeoutSeconds=8`);
    const filler = "x".repeat(200_000);
    for (let i = 0; i < 60; i++) await http(server, `${cms}/big`, merge({ data: { value: `${i}${filler}` } }));
    slow.resume();
    const text = await slow.untilEnd;
    const last = text
      .trimEnd()
      .split("\n")
      .findLast((line) => line.startsWith("{"))!;
    expect(JSON.parse(last)).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
    expect((await healthy).text.split("\n").filter((line) => line.includes('"MODIFIED"'))).toHaveLength(60);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    never.resume();
    expect((await never.untilEnd).length, "cut off, it never gets all").toBeLessThan(60 * filler.length);
  }, 60_000);
});

/** How long each renewal of a lease took, one after the other. */
async function renewUntil(connection: Http2Connection, isOver: () => boolean): Promise<readonly number[]> {
  const times: number[] = [];
  const headers = { "content-type": "application/merge-patch+json" };
  for (let i = 0; !isOver(); i++) {
    const started = performance.now();
    const body = JSON.stringify({ spec: { leaseTransitions: i } });
    expect((await connection.send(`${leases}/mine`, { method: "PATCH", body, headers })).code).toBe(200);
    times.push(performance.now() - started);
  }
  return times;
}

/** A watch that is open, or the answer that says why not. */
function openWatch(connection: Http2Connection): Promise<Http2Answer> {
  const stream = connection.open(`${cms}?watch=true&resourceVersion=0`);
  return new Promise((resolve, reject) => {
    stream.on("response", (headers) => resolve({ code: Number(headers[":status"]), headers, text: "" }));
    stream.on("error", reject);
    stream.resume();
  });
}

async function tokenOf(name: string): Promise<string> {
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await http(server, accounts, post({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name } }));
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "ServiceAccount", name, namespace: "default" }],
  };
  await http(server, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", post(binding));
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { json, text } = await http(server, `${accounts}/${name}/token`, post(request));
  expect(json.status?.token, text).toBeTypeOf("string");
  return json.status.token;
}

function lease() {
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "mine" }, spec: {} };
}

/** A watch over a connection of its own that is not read until it is resumed. */
async function pausedWatch(path: string) {
  const { pki, url } = server;
  const socket = connect({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    ca: pki.ca.certificate,
    cert: pki.admin.certificate,
    key: pki.admin.privateKey,
    ALPNProtocols: ["http/1.1"],
  });
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  socket.on("error", () => {}); // being cut off is what it may get
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  let text = "";
  socket.setEncoding("utf8");
  const untilEnd = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  return {
    untilEnd,
    resume: () => {
      socket.on("data", (chunk: string) => {
        text += chunk;
      });
      socket.resume();
    },
  };
}
