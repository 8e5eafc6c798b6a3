import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Kubectl } from "#test/kubectl/kubectl.ts";

const program = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");
const folders: string[] = [];
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe("flotilla up", () => {
  test("prints what to do, stops on Ctrl-C, goes on where it was", async () => {
    const data = newFolder();
    const first = run("up", "--data", data, "--port", "0", "--members", "paris,oslo");
    await first.until(/^ready$/m);
    expect(first.output()).toMatch(
      /^control plane {2}https:\/\/127\.0\.0\.1:\d+\nmember {9}https:\S+ {2}paris\nmember {9}https:\S+ {2}oslo\n/,
    );
    expect(first.output()).toContain("export KUBECONFIG=");
    expect(first.output()).toContain("kubectl get clusters");
    expect(readFileSync(join(data, "kubeconfig"), "utf8")).toMatch(/current-context: flotilla/);
    expect(statSync(join(data, "kubeconfig")).mode & 0o777).toBe(0o600);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    const kubectl = new Kubectl("v36", join(data, "kubeconfig"));
    await kubectl.run("create", "configmap", "kept", "--from-literal=a=b");
    await kubectl.run("--context", "oslo", "create", "configmap", "kept-in-oslo");
    const before = await kubectl.json("get", "cm", "kept");
    first.child.kill("SIGINT");
    expect(await first.exit()).toBe(0);
    expect(first.output()).toMatch(/stopped\n$/);

    const second = run("up", "--data", data, "--port", "0", "--members", "paris,oslo");
    await second.until(/^ready$/m);
    expect(await kubectl.json("get", "cm", "kept")).toEqual(before);
    expect(await kubectl.run("--context", "oslo", "get", "cm", "kept-in-oslo", "-o", "name")).toBe(
      "configmap/kept-in-oslo\n",
    );
    second.child.kill("SIGTERM");
    expect(await second.exit()).toBe(0);
  });

  test("kill -9 loses nothing that was acknowledged", async () => {
    const data = newFolder();
    const first = run("up", "--data", data, "--port", "0", "--members", "0");
    await first.until(/^ready$/m);
    const kubectl = new Kubectl("v36", join(data, "kubeconfig"));
    await kubectl.run("create", "namespace", "survivor");
    first.child.kill("SIGKILL");
    await first.exit();
    const second = run("up", "--data", data, "--port", "0", "--members", "0");
    await second.until(/^ready$/m);
    expect(await kubectl.run("get", "ns", "survivor", "-o", "name")).toBe("namespace/survivor\n");
    second.child.kill("SIGINT");
    await second.exit();
  });

  test("a second process on the same data is refused, and told why", async () => {
    const data = newFolder();
    const first = run("up", "--data", data, "--port", "0", "--members", "0");
    await first.until(/^ready$/m);
    const second = run("up", "--data", data, "--port", "0", "--members", "0");
    expect(await second.exit()).toBe(1);
    expect(second.output()).toMatch(/^error: cannot open the store.* has it open\nhint: .*--data DIR --port 0$/m);
    first.child.kill("SIGINT");
    await first.exit();
  });

  test("a port in use is an error with a hint", async () => {
    const first = run("up", "--memory", "--data", newFolder(), "--port", "0", "--members", "0");
    await first.until(/^ready$/m);
    const port = /127\.0\.0\.1:(\d+)/.exec(first.output())?.[1] ?? "";
    const second = run("up", "--memory", "--data", newFolder(), "--port", port, "--members", "0");
    expect(await second.exit()).toBe(1);
    expect(second.output()).toMatch(/error: cannot listen on 127\.0\.0\.1:\d+: the port is in use\nhint: .*--port/);
    first.child.kill("SIGINT");
    await first.exit();
  });
});

describe("misuse gives a hint and exit code 2", () => {
  const misuse: Readonly<Record<string, { args: readonly string[]; says: RegExp }>> = {
    "an unknown command": { args: ["upp"], says: /unknown command 'upp'/ },
    "an unknown option": { args: ["up", "--membres", "3"], says: /unknown option '--membres'/ },
    "a port that is none": { args: ["up", "--port", "many"], says: /hint: a port is a number from 0 to 65535/ },
    "a member's name that is none": { args: ["up", "--members", "Paris,x"], says: /cannot call a member "Paris"/ },
    "a member twice": { args: ["up", "--members", "a,a"], says: /twice/ },
    "a gate that does not exist": {
      args: ["up", "--feature-gates", "Nope=true"],
      says: /hint: the gates that can be turned are StaticPolicy/,
    },
    "a gate that is not built yet": {
      args: ["up", "--feature-gates", "MultiClusterService=true"],
      says: /MultiClusterService is not built yet/,
    },
    "a gate that says nothing": {
      args: ["up", "--feature-gates", "PropagationPolicyPreemption"],
      says: /write NAME=true/,
    },
    "too many members": { args: ["up", "--members", "1000"], says: /at most 100/ },
    "a log level that is none": { args: ["up", "--log-level", "loud"], says: /hint: the levels are/ },
  };
  for (const [name, { args, says }] of Object.entries(misuse)) {
    test(name, async () => {
      const command = run(...args);
      expect(await command.exit()).toBe(2);
      expect(command.output()).toMatch(says);
    });
  }

  test("help and version exit with 0", async () => {
    for (const args of [["--help"], ["up", "--help"], ["version"], ["--version"]])
      expect(await run(...args).exit(), args.join(" ")).toBe(0);
  });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "flotilla-cli-"));
  folders.push(folder);
  return folder;
}

function run(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let text = "";
  const waiting = new Set<() => void>();
  const take = (chunk: Buffer) => {
    text += chunk.toString();
    for (const wake of waiting) wake();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const ended = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  return {
    child,
    output: () => text,
    exit: () => ended,
    until: (match: RegExp) =>
      new Promise<void>((resolve, reject) => {
        const check = () => {
          if (!match.test(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        void ended.then((code) => reject(new Error(`ended with ${code} before ${match}: ${text}`)));
        check();
      }),
  };
}
