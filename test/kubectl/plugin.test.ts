import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { Kubectl } from "./kubectl.ts";

const folder = mkdtempSync(join(tmpdir(), "flotilla-plugin-"));
const path = [folder, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
let world: TestFleet;
let kubectl: Kubectl;

beforeAll(async () => {
  const program = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");
  for (const name of ["kubectl-flotilla", "kubectl_complete-flotilla"]) symlinkSync(program, join(folder, name));
  world = await startTestFleet({ members: ["member1"] });
  kubectl = new Kubectl("v36", world.kubeconfig);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const plugin = (...words: string[]) => kubectl.try(words, { environment: { PATH: path } });

test("kubectl finds the plugin", async () => {
  expect((await plugin("plugin", "list")).stdout).toContain(join(folder, "kubectl-flotilla"));
});

test("commands work, with kubectl's own kubeconfig", async () => {
  expect(await plugin("flotilla", "get", "clusters")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^NAME +CLUSTER [^\n]*\nmember1 +flotilla /),
  });
  expect((await plugin("flotilla", "get", "namespaces", "-C", "member1", "-o", "name")).stdout).toContain(
    "namespace/default\n",
  );
});

test.each([
  ["commands", ["pl"], ["plan\tshow what applying manifests would do; nothing is written", ":4"]],
  ["flags", ["plan", "--su"], ["--summary\ttotals and the worst effects alone", ":4"]],
  ["formats", ["plan", "-o", "y"], ["yaml", ":4"]],
  ["files", ["plan", "-f", ""], [":0"]],
])("kubectl completes %s", async (_, words, expected) => {
  const { stdout } = await plugin("__complete", "flotilla", ...words);
  expect(stdout.trimEnd().split("\n")).toEqual(expected);
});

test("usage, hints and exit codes are those of kubectl flotilla", async () => {
  expect((await plugin("flotilla", "--help")).stdout).toMatch(/^Usage: kubectl flotilla \[options\] \[command\]/);
  expect((await plugin("flotilla", "tree", "--help")).stdout).toContain(
    "\n  kubectl flotilla tree deployment/web -n shop",
  );
  expect(await plugin("flotilla", "tree", "web")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("hint: write KIND/NAME"),
  });
});
