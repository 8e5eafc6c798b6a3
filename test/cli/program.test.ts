import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programNameOf } from "#cli/program.ts";
import { runInProcess } from "./in-process.ts";

test("the program's name is the one it is called by", () => {
  expect(
    ["/usr/bin/flotilla", "/x/kubectl-flotilla", "dist/flotilla.js", "kubectl-flotilla.js"].map(programNameOf),
  ).toEqual(["flotilla", "kubectl flotilla", "flotilla", "kubectl flotilla"]);
});

test("as a plugin of kubectl, usage and examples say so", async () => {
  const { code, stdout } = await runInProcess(["cordon", "--help"], "kubectl flotilla");
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: kubectl flotilla cordon");
  expect(stdout).toContain("\n  kubectl flotilla cordon member1");
  expect(stdout).not.toContain("kubectl kubectl");
});

test("help goes where output goes, misuse to the other stream", async () => {
  expect((await runInProcess(["--help"])).stdout).toContain("Usage: flotilla");
  const wrong = await runInProcess(["cordon"]);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toContain("(add --help for usage)");
});

test("a reader that has gone ends the program without a word", async () => {
  const program = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");
  const child = spawn(process.execPath, [program, "up", "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += String(chunk);
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect({ code, complaints }).toEqual({ code: 141, complaints: "" });
});
