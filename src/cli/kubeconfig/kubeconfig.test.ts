import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findKubeconfig, type Surroundings } from "./find-kubeconfig.ts";
import { inClusterAccess } from "./in-cluster.ts";
import { chooseContext, readKubeconfig } from "./kubeconfig.ts";
import { type AccessNeeds, accessOfContext } from "./server-access.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flotilla-kubeconfig-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const base64 = (text: string) => Buffer.from(text).toString("base64");

function put(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function config(cluster: object = {}, user: object = { token: "t" }): string {
  return JSON.stringify({
    "current-context": "one",
    clusters: [{ name: "c", cluster: { server: "https://one.example:6443", ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "one", context: { cluster: "c", user: "u", namespace: "shop" } }],
  });
}

const needs: AccessNeeds = { env: process.env, nowMs: () => 0, interactive: false, trusted: true };
const access = (file: string, more: Partial<AccessNeeds> = {}) =>
  accessOfContext(chooseContext(readKubeconfig([file]), undefined), { ...needs, ...more });

describe("the search", () => {
  const around = (more: Partial<Surroundings> = {}): Surroundings => ({
    env: {},
    workingDirectory: join(folder, "here"),
    homeDirectory: join(folder, "home"),
    userId: process.getuid?.(),
    ...more,
  });

  test("takes the flag, then KUBECONFIG, then what lies here, then what lies at home", () => {
    expect(findKubeconfig(undefined, around())).toBeUndefined();
    const home = put("home/.kube/config", "");
    expect(findKubeconfig(undefined, around())).toEqual({ files: [home], stumbledUpon: false });
    const here = put("here/.flotilla/kubeconfig", "");
    expect(findKubeconfig(undefined, around())).toEqual({ files: [here], stumbledUpon: true });
    const env = { KUBECONFIG: ["", home, "/absent"].join(delimiter) };
    expect(findKubeconfig(undefined, around({ env }))).toEqual({ files: [home, "/absent"], stumbledUpon: false });
    const flag = put("flag", "");
    expect(findKubeconfig(flag, around({ env }))).toEqual({ files: [flag], stumbledUpon: false });
  });

  test("does not pass over what was named", () => {
    put("home/.kube/config", "");
    expect(() => findKubeconfig("/absent", around())).toThrow("cannot find kubeconfig /absent");
    expect(() => findKubeconfig(undefined, around({ env: { KUBECONFIG: "/absent" } }))).toThrow(
      "cannot find kubeconfig",
    );
  });

  test("takes no file of somebody else's that lies in the current folder", () => {
    put("here/.flotilla/kubeconfig", "");
    expect(findKubeconfig(undefined, around({ userId: 4711 }))).toBeUndefined();
  });
});

describe("several files", () => {
  test("are one, of which the first to say something is believed", () => {
    const a = put("a", JSON.stringify({ clusters: [{ name: "c", cluster: { server: "https://a" } }] }));
    const merged = readKubeconfig([join(folder, "absent"), a, put("b", config())]);
    expect(merged.currentContext).toBe("one");
    expect(chooseContext(merged, undefined).cluster.text("server")).toBe("https://a");
  });
});

describe("a context", () => {
  test("that is not there is refused with those that are", () => {
    const read = readKubeconfig([put("a", config())]);
    expect(() => chooseContext(read, "two")).toThrow('cannot find context "two"');
    expect(chooseContext(read, "one")).toMatchObject({ name: "one", namespace: "shop" });
  });
  test("must name a cluster and a user that exist", () => {
    const file = put("a", JSON.stringify({ contexts: [{ name: "x", context: { cluster: "c" } }] }));
    expect(() => chooseContext(readKubeconfig([file]), "x")).toThrow('its cluster "c" is not in');
  });
});

describe("access", () => {
  test("has what the context says, inline", async () => {
    const cluster = { "certificate-authority-data": base64("CA"), "tls-server-name": "api" };
    const user = { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") };
    expect(await access(put("a", config(cluster, user)))).toMatchObject({
      name: "one",
      namespace: "shop",
      token: undefined,
      identity: {
        ca: "CA",
        serverName: "api",
        skipVerification: false,
        clientCertificate: { certificate: "CERT", privateKey: "KEY" },
      },
    });
  });

  test("reads files beside the kubeconfig, and a token again when it may have changed", async () => {
    put("ca.pem", "CA");
    put("token", "first\n");
    let nowMs = 0;
    const file = put("a", config({ "certificate-authority": "ca.pem" }, { tokenFile: "token", token: "ignored" }));
    const { identity, token } = await access(file, { nowMs: () => nowMs });
    expect([identity.ca, await token?.()]).toEqual(["CA", "first"]);
    put("token", "second");
    expect(await token?.()).toBe("first");
    nowMs = 10_000;
    expect(await token?.()).toBe("second");
    rmSync(join(folder, "token"));
    nowMs = 20_000;
    expect(await token?.()).toBe("second");
  });

  test("goes through a proxy, with its password", async () => {
    const { proxy } = await access(put("a", config({ "proxy-url": "http://me:pass@proxy.example:3128" })));
    expect([proxy?.url.host, proxy?.headers]).toEqual([
      "proxy.example:3128",
      { "proxy-authorization": `Basic ${base64("me:pass")}` },
    ]);
  });

  for (const [situation, cluster, user, why] of [
    ["a server without TLS", { server: "http://one.example" }, {}, "is no https address"],
    ["no server", { server: null }, {}, "is no https address"],
    ["a server with a password", { server: "https://a:b@one.example" }, {}, "is no https address"],
    ["a socks proxy", { "proxy-url": "socks5://p" }, {}, "cannot use proxy-url"],
    ["half a client certificate", {}, { "client-key-data": base64("K") }, "without the other"],
    ["a token of several lines", {}, { token: "a\nb" }, "no token has"],
    ["a password", {}, { username: "u", password: "p" }, "username is not supported"],
    ["impersonation", {}, { as: "admin" }, "as is not supported"],
    [
      "a CA file that is not there",
      { "certificate-authority": "absent" },
      {},
      "cannot find certificate-authority absent",
    ],
    ["a number for a token", {}, { token: 1 }, "users[0].user.token must be text"],
  ] as const)
    test(`with ${situation} is refused`, async () => {
      await expect(access(put("a", config(cluster, user)))).rejects.toThrow(why);
    });

  test("by a file that nobody named runs nothing and reads nothing else", async () => {
    const untrusted = { trusted: false };
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "sh" };
    await expect(access(put("a", config({}, { exec })), untrusted)).rejects.toThrow("it has exec");
    await expect(access(put("b", config({}, { tokenFile: "t" })), untrusted)).rejects.toThrow("it has tokenFile");
    expect(await (await access(put("c", config()), untrusted)).token?.()).toBe("t");
  });
});

describe("a kubeconfig", () => {
  for (const [situation, text, why] of [
    ["that is no YAML", "a: [", "cannot read kubeconfig"],
    ["that is a list", "[]", "the document must be a mapping"],
    ["whose contexts are no list", "contexts: {}", "contexts must be a list"],
    ["that is larger than any", `# ${"x".repeat(4 * 1024 * 1024)}`, "more than 4194304 bytes"],
  ] as const)
    test(`${situation} is refused`, () => expect(() => readKubeconfig([put("a", text)])).toThrow(why));
});

describe("a plugin", () => {
  const plugin = (script: string, more: object = {}) => {
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: process.execPath,
      args: ["-e", script],
      env: [{ name: "GREETING", value: "hello" }],
      ...more,
    };
    return put("a", config({}, { exec }));
  };
  const print = (status: string, version = "client.authentication.k8s.io/v1") =>
    `console.log(JSON.stringify({ apiVersion: "${version}", kind: "ExecCredential", status: ${status} }))`;

  test("gives a token, and another when it expires", async () => {
    let nowMs = Date.parse("2026-01-01T00:00:00Z");
    const script = print("{ token: 't' + process.pid, expirationTimestamp: '2026-01-01T01:00:00Z' }");
    const { token } = await access(plugin(script), { nowMs: () => nowMs });
    const first = await token?.();
    expect(first).toMatch(/^t\d+$/);
    expect(await token?.()).toBe(first);
    nowMs += 3_600_000;
    expect(await token?.()).not.toBe(first);
  });

  test("gives a certificate", async () => {
    const { identity, token } = await access(plugin(print('{ clientCertificateData: "C", clientKeyData: "K" }')));
    expect([identity.clientCertificate, token]).toEqual([{ certificate: "C", privateKey: "K" }, undefined]);
  });

  test("is told what it is asked for, in its own words", async () => {
    const version = "client.authentication.k8s.io/v1beta1";
    const script = print(
      "{ token: Buffer.from(process.env.KUBERNETES_EXEC_INFO + process.env.GREETING).toString('base64') }",
      version,
    );
    const file = plugin(script, { apiVersion: version, provideClusterInfo: true });
    const said = Buffer.from((await (await access(file)).token?.()) ?? "", "base64").toString();
    expect(said).toMatch(/hello$/);
    expect(JSON.parse(said.replace(/hello$/, ""))).toEqual({
      apiVersion: version,
      kind: "ExecCredential",
      spec: { interactive: false, cluster: { server: "https://one.example:6443/" } },
    });
  });

  for (const [situation, script, more, why] of [
    ["that fails", "process.exit(3)", {}, "it ended with code 3"],
    ["that is not there", "", { command: "no-such-program" }, "ENOENT"],
    ["that prints nonsense", "console.log('hi')", {}, "it printed no JSON"],
    ["that gives nothing", print("{}"), {}, "it gave no credentials"],
    ["that speaks another version", print("{ token: 't' }", "x/v2"), {}, "another apiVersion"],
    ["of an unknown version", "", { apiVersion: "client.authentication.k8s.io/v1alpha1" }, "exec.apiVersion is"],
    ["that needs a terminal", "", { interactiveMode: "Always" }, "it needs a terminal"],
    ["that prints without end", "console.log('x'.repeat(2e6)); setInterval(() => {}, 1e6)", {}, "it printed too much"],
  ] as const)
    test(`${situation} is refused`, async () => {
      await expect(access(plugin(script, more))).rejects.toThrow(why);
    });
});

test("a pod uses its service account", async () => {
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const mount = join(folder, "mount");
  const at = { env, nowMs: () => 0, mount };
  expect(inClusterAccess(at)).toBeUndefined();
  put("mount/ca.crt", "CA");
  put("mount/token", "t\n");
  put("mount/namespace", "karmada-system\n");
  const found = inClusterAccess(at);
  expect([found?.server.href, found?.identity.ca, found?.namespace, await found?.token?.()]).toEqual([
    "https://[fd00::1]/",
    "CA",
    "karmada-system",
    "t",
  ]);
  expect(inClusterAccess({ ...at, env: {} })).toBeUndefined();
});
