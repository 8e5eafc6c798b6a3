import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import { type BareServer, startBareServer } from "#test/cli/bare-server.ts";
import { Flotilla } from "#test/cli/program.ts";
import { requireTmux, Screen } from "#test/cli/tmux.ts";
import { clusters, eventually, register } from "#test/members/remote-member.ts";
import { clientOf } from "#test/world/cluster.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";

let folder: string;
let fleet: TestFleet;
let server: BareServer;
/** A program that leaves a trace, and a file whose reader waits for ever: who opens it never comes back to say so. */
let trap: string;
let trace: string;
let pipe: string;

beforeAll(async () => {
  requireTmux();
  folder = mkdtempSync(join(tmpdir(), "flotilla-hostile-"));
  [trap, trace, pipe] = ["trap", "trace", "pipe"].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(trap, `#!/bin/sh\ntouch ${trace}\nexit 1\n`);
  chmodSync(trap, 0o700);
  execFileSync("mkfifo", [pipe]);
  [fleet, server] = await Promise.all([startTestFleet(), startBareServer("paris")]);
});
afterAll(async () => {
  await Promise.all([fleet?.[Symbol.asyncDispose](), server?.[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => rmSync(trace, { force: true }));

const exec = (more: object = {}) => ({
  exec: { apiVersion: "client.authentication.k8s.io/v1", command: trap, interactiveMode: "Never", ...more },
});
const google = () => ({ "auth-provider": { name: "gcp", config: { "cmd-path": trap } } });

/** By what it wants: a cluster's fields and a user's. */
const hostile: Readonly<Record<string, () => readonly [cluster: object, user: object]>> = {
  "to run a program": () => [{}, exec()],
  "to run one beside it": () => [{}, exec({ command: "./trap" })],
  "to run a shell": () => [{}, exec({ command: "sh", args: ["-c", `touch ${trace}`] })],
  "to run one and have a token, too": () => [{}, { ...exec(), token: "t" }],
  "to run one by a version of old": () => [{}, exec({ apiVersion: "client.authentication.k8s.io/v1alpha1" })],
  "to run one by a provider": () => [{}, google()],
  "to have a file sent as a token": () => [{}, { tokenFile: pipe }],
  "to have it sent although there is a token": () => [{}, { tokenFile: pipe, token: "t" }],
  "to have a file for its authority": () => [{ "certificate-authority": pipe }, { token: "t" }],
  "to have a file for its certificate": () => [{}, { "client-certificate": pipe, "client-key-data": "eA==" }],
  "to have a file for its key": () => [{}, { "client-key": pipe, "client-certificate-data": "eA==" }],
  "to go by another protocol": () => [{ server: "file:///etc/shadow" }, { token: "t" }],
  "to go by a proxy that is none": () => [{ "proxy-url": `file://${pipe}` }, { token: "t" }],
};

function put(path: string, [cluster, user]: readonly [object, object]): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  const config = {
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:9", ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

describe.each(Object.entries(hostile))("SEC-40: a kubeconfig that wants %s", (_, sections) => {
  test("gets nothing where nobody named it", async () => {
    const file = put("stumbled/.flotilla/kubeconfig", sections());
    const { code, err } = await new Flotilla({}, join(file, "..", "..")).run("get", "clusters");
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: cannot .*\nhint: /)]);
    expect(existsSync(trace)).toBe(false);
  });
});

describe("SEC-40: a server", () => {
  test.each(["controllers", "webhook"])("runs no program that its kubeconfig names: %s", async (command) => {
    const file = put("server", [{}, exec()]);
    const { code, err } = await new Flotilla().run(command, "--kubeconfig", file);
    expect([code, err]).toEqual([1, expect.stringContaining("its user runs a plugin, which a server does not do")]);
    expect(existsSync(trace)).toBe(false);
  });

  test("takes what a Secret says of a member for data, and for no file", async () => {
    const user = clientOf(fleet.fleet.controlPlane.server);
    const secrets = {
      authority: { token: "t", caBundle: pipe },
      certificate: { "tls.crt": pipe, "tls.key": pipe },
      token: { tokenFile: pipe },
      whole: { kubeconfig: JSON.stringify({ users: [{ name: "u", user: exec() }] }) },
    };
    for (const [name, secret] of Object.entries(secrets)) {
      await register(user, { name, endpoint: server.cluster.url, secret });
      await eventually(
        async () => JSON.stringify((await user.get(clusters, { name }))?.["status"] ?? {}),
        (status) => status.includes('"status":"False"'),
      );
    }
    expect(existsSync(trace)).toBe(false);
  });
});

describe("SEC-40: a kubeconfig that is given to join", () => {
  const flotilla = () => new Flotilla({ KUBECONFIG: fleet.kubeconfig });
  const joined = (file: string, ...more: readonly string[]) =>
    flotilla().run("join", "paris", "--cluster-kubeconfig", file, ...more);

  test.each(["to run a program", "to have a file sent as a token"])("and wants %s needs a yes", async (wish) => {
    const { code, err } = await joined(put("given", hostile[wish]!()));
    expect([code, err]).toEqual([1, expect.stringContaining("which nobody has agreed to")]);
    expect(existsSync(trace)).toBe(false);
  });

  test("has what it wants where it is trusted", async () => {
    const { err } = await joined(put("given", [{}, exec()]), "--trust-cluster-kubeconfig");
    expect(err).toContain("it ended with code 1");
    expect(existsSync(trace)).toBe(true);
  });

  test("is not asked about where it wants nothing", async () => {
    const file = join(folder, "plain");
    writeFileSync(file, renderKubeconfig([{ name: "paris", server: server.cluster.url, pki: server.cluster.pki }]));
    expect(await joined(file, "--dry-run")).toMatchObject({ code: 0 });
  });

  test("is asked about at a terminal, in words that are no tricks", async () => {
    const file = put("given", [{}, exec({ args: ["\u001b[2J\u001b[1A", "--quietly"] })]);
    using screen = new Screen({ columns: 300, environment: { KUBECONFIG: fleet.kubeconfig } });
    const program = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");
    const command = `${process.execPath} ${program} join paris --cluster-kubeconfig ${file}; echo code $?`;
    screen.type(command);
    await screen.shows(/runs \S+trap +--quietly; is that all right\? \[y\/N\]/);
    screen.type("");
    await screen.shows(/nobody has agreed to[\s\S]*^code 1$/m);
    expect(existsSync(trace)).toBe(false);
    await screen.clear();
    screen.type(command);
    await screen.shows(/\[y\/N\]/);
    screen.press("C-c");
    await screen.shows(/^code 1$/m);
    expect(existsSync(trace)).toBe(false);
    await screen.clear();
    screen.type(command);
    await screen.shows(/\[y\/N\]/);
    screen.type("yes");
    await screen.shows(/it ended with code 1[\s\S]*^code 1$/m);
    expect(existsSync(trace)).toBe(true);
  });
});
