import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestOfCall } from "#client/request-of-call.ts";
import { runInProcess } from "#test/cli/in-process.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";

/** Names that would lead elsewhere if anybody made a path of them, as they are and as they may be written in a URL. */
const climbing = [
  "..",
  ".",
  "../control-plane",
  "..%2fcontrol-plane",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..%252f..%252fetc%252fpasswd",
  "..\\..\\windows",
  "..%5c..%5cwindows",
  "\\\\host\\share",
  "%5c%5chost%5cshare",
  "C:\\boot.ini",
  "/etc/passwd",
  "%2fetc%2fpasswd",
  "a%00.json",
  "a\u0000.json",
  "%c0%ae%c0%ae%c0%af",
  "....//",
  "~root",
  "x".repeat(300),
  "x".repeat(10_000),
];

/** By how a test is called. */
const rows = climbing.map((name) => [JSON.stringify(name.slice(0, 40)), name] as const);

let parent: string;
let directory: string;
let world: TestFleet;
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), "flotilla-paths-"));
  directory = join(parent, "data");
  mkdirSync(directory);
  world = await startTestFleet({ members: ["m1"], memory: false, directory });
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  rmSync(parent, { recursive: true, force: true });
});

interface Answer {
  readonly code: number;
  readonly text: string;
}

/** A request whose path goes out letter for letter, which no URL would let it. */
function ask(path: string, method = "GET", body?: object): Promise<Answer> {
  const { url, pki } = world.fleet.controlPlane;
  const { hostname, port } = new URL(url);
  const credentials = { ca: pki.ca.certificate, cert: pki.admin.certificate, key: pki.admin.privateKey };
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const outgoing = request({ hostname, port, path, method, headers, agent: false, ...credentials }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on("end", () => resolve({ code: response.statusCode ?? 0, text }));
    });
    outgoing.on("error", reject);
    outgoing.end(body && JSON.stringify(body));
  });
}

const clusters = "/apis/cluster.karmada.io/v1alpha1/clusters";
const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const secrets = "/api/v1/namespaces/default/secrets";
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => !/-(wal|shm|journal)$/.test(file));

describe("SEC-42: a name that is a way elsewhere", () => {
  test.each(rows)("is refused as the name of a new object: %s", async (_, name) => {
    const before = filesIn(parent);
    const spec = { syncMode: "Push", apiEndpoint: "https://127.0.0.1:9" };
    const made = [
      await ask(clusters, "POST", {
        apiVersion: "cluster.karmada.io/v1alpha1",
        kind: "Cluster",
        metadata: { name },
        spec,
      }),
      await ask("/api/v1/namespaces", "POST", { apiVersion: "v1", kind: "Namespace", metadata: { name } }),
      await ask(secrets, "POST", { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "default" } }),
      await ask(secrets, "POST", { apiVersion: "v1", kind: "Secret", metadata: { name: "a", namespace: name } }),
    ];
    for (const { code } of made) expect([400, 422]).toContain(code);
    expect(filesIn(parent)).toEqual(before);
  });

  const unsent = /[\u0000-\u0020]/; // no client can write these in a request's first line
  test.each(rows.filter(([, name]) => !unsent.test(name)))("leads nowhere in a path: %s", async (_, name) => {
    const paths = [
      `/${name}`,
      `/healthz/${name}`,
      `/openapi/v3/${name}`,
      `/apis/${name}`,
      `${clusters}/${name}`,
      `${roles}/${name}`,
      `${secrets}/${name}`,
      `/api/v1/namespaces/${name}/secrets/${name}`,
    ];
    for (const path of paths) {
      const { code, text } = await ask(path);
      expect(text).not.toMatch(/root:|PRIVATE KEY/);
      if (isElsewhere(path)) continue; // dots that a server may take away: what is left is served
      expect([path, code >= 400 && code < 500]).toEqual([path, true]);
    }
  });

  test.each(rows)("is no member's: %s", async (_, name) => {
    const folder = join(parent, "never");
    const { code, stderr } = await runInProcess(["up", "--members", name, "--data", folder, "--port", "0"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot call a member")]);
    expect(existsSync(folder)).toBe(false);
  });

  test.each(rows)("does not leave the path of a call to a member: %s", (_, name) => {
    const call = (path: object) =>
      requestOfCall({
        verb: "get",
        user: { name: "", groups: [] },
        options: {},
        path: { group: "", version: "v1", resource: "pods", namespace: "default", name: "a", ...path },
      });
    for (const part of ["group", "version", "resource", "namespace", "name"]) {
      let path: string | undefined;
      try {
        ({ path } = call({ [part]: name }));
      } catch (error: unknown) {
        expect(String(error)).toContain("cannot ask for a path");
        continue;
      }
      const { pathname } = new URL(path, "https://member");
      expect(pathname).toBe(path);
      expect(pathname.split("/").map(decodeURIComponent)).toContain(name);
    }
  });
});

/** Whether dots in a path mean another one, which is there. */
function isElsewhere(path: string): boolean {
  return new URL(path, "https://host").pathname !== path && /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path);
}
