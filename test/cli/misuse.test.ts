import { describe, expect, test } from "vitest";
import { createProgram } from "#cli/program.ts";
import { runInProcess } from "./in-process.ts";

const silent = { line: () => {}, note: () => {}, paint: {} as never };
const commands = createProgram(silent).commands;

/** What people do wrong, command by command; every command must have a row of its own. */
const rows: Readonly<Record<string, readonly (readonly string[])[]>> = {
  up: [
    ["--members", "Big!"],
    ["--members", "a,a"],
    ["--feature-gates", "X=true"],
  ],
  controllers: [["--feature-gates", "Nonsense=true"]],
  install: [["--webhook-url"]],
  uninstall: [["--context"]],
  webhook: [["--port"]],
  join: [[], ["member1"]],
  unjoin: [[]],
  reconcile: [
    [],
    ["deployment"],
    ["deployment/a/b"],
    ["all", "--policy", "x"],
    ["deployment/web", "-l", "a=b"],
    ["--policy", "op/x"],
    ["all", "-l", "a=(b"],
    ["all", "--max-in-flight", "0"],
    ["all", "--max-in-flight", "many"],
    ["all", "--percent", "101"],
    ["all", "--percent", "5", "--max-in-flight", "5"],
    ["all", "--cluster-order", "a,a"],
    ["all", "--cluster-order", "a,,b"],
    ["all", "--timeout", "soon"],
    ["all", "-o", "wide"],
  ],
  get: [
    [],
    ["deployments/a/b"],
    ["deployments/"],
    ["deployments/web", "web"],
    ["deployments", "web", "-l", "a=b"],
    ["deployments", "web", "-A"],
    ["deployments", "-l", "a in b"],
    ["deployments", "-s", "everywhere"],
    ["deployments", "-s", "karmada", "-C", "m1"],
    ["deployments", "-C", "m1,"],
    ["deployments", "-w", "-o", "json"],
    ["deployments", "-o", "xml"],
  ],
  describe: [[], ["deployments"], ["deployments/web", "-s", "here"]],
  tree: [[], ["web"], ["deployment/web", "-o", "name"]],
  why: [[], ["web"], ["deployment/web", "-o", "wide"]],
  plan: [
    [],
    ["-f"],
    ["-f", "x.yaml", "--only", "noise"],
    ["-f", "x.yaml", "--live", "--timeout", "soon"],
    ["-f", "x.yaml", "-o", "wide"],
  ],
  lint: [[], ["-f"], ["-f", "x.yaml", "-o", "wide"], ["--live", "--feature-gates", "Nonsense=true"]],
  cordon: [[], ["a", "b"]],
  uncordon: [[], ["a", "b"]],
  taint: [[], ["clusters"], ["nodes", "m1", "a:NoSchedule"], ["clusters", "m1", "a:Sometimes"]],
  bench: [["nonsense"], ["--templates"]],
  completion: [[], ["tcsh"]],
  version: [["-o", "table"], ["more"]],
};

test.each(commands.map((command) => [command.name(), command] as const))(
  "the help of %s has examples",
  (_, command) => {
    const said: string[] = [];
    command.configureOutput({ writeOut: (text) => void said.push(text) }).outputHelp();
    expect(said.join("")).toContain("Examples:");
  },
);

test("every command has a row", () => {
  expect(Object.keys(rows).toSorted()).toEqual(commands.map((command) => command.name()).toSorted());
});

for (const command of commands)
  describe(`misuse of ${command.name()} gives a hint and exit code 2`, () => {
    const own = rows[command.name()] ?? [];
    for (const words of [["--nonsense"], ["a", "b", "c", "d", "e"].slice(0, isVariadic(command) ? 1 : 5), ...own])
      test(words.join(" ") || "(nothing)", async () => {
        const { code, stdout, stderr } = await runInProcess([command.name(), ...words]);
        expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: "" });
        expect(stderr).toMatch(/^error: .+\n(hint: .+|\n?\(add --help for usage\))$/s);
      });
  });

test("a command that is none is told which is near", async () => {
  const { code, stderr } = await runInProcess(["recncile"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Did you mean reconcile?");
});

for (const command of commands)
  test(`${command.name()} --help has a summary and ends with 0`, async () => {
    const { code, stdout } = await runInProcess([command.name(), "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: flotilla ${command.name()}`);
    expect(command.summary()).not.toBe("");
  });

function isVariadic(command: (typeof commands)[number]): boolean {
  return command.registeredArguments.some(({ variadic }) => variadic);
}
