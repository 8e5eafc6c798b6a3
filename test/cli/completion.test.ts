import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInProcess } from "./in-process.ts";

let folder: string;
let script: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "flotilla-completion-"));
  script = join(folder, "flotilla.bash");
  writeFileSync(script, (await runInProcess(["completion", "bash"])).stdout);
  writeFileSync(join(folder, "some.kubeconfig"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash offers where the cursor is at the end of the line. */
function offered(line: string): readonly string[] {
  const ask = `source ${script}; COMP_WORDS=(${line.replace(/ $/, ' ""')}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _flotilla; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const answer = execFileSync("bash", ["--norc", "-uc", ask], { cwd: folder, encoding: "utf8" });
  return answer.split("\n").filter((each) => each !== "");
}

describe("bash", () => {
  for (const [line, words] of [
    ["flotilla cord", ["cordon"]],
    ["flotilla un", ["uninstall", "unjoin", "uncordon"]],
    ["flotilla join paris --cluster-k", ["--cluster-kubeconfig"]],
    ["flotilla install -o ", ["yaml", "json", "name"]],
    ["flotilla join paris --cluster-kubeconfig some", ["some.kubeconfig"]],
    ["flotilla up --port ", []],
    ["flotilla nothing --", []],
  ] as const)
    test(`offers ${words.join(", ") || "nothing"} for "${line}"`, () => expect(offered(line)).toEqual(words));

  test("offers every command", async () => {
    expect(offered("flotilla ")).toEqual(expect.arrayContaining(["up", "install", "controllers", "webhook", "join"]));
  });
});

test("zsh and fish get the same words", async () => {
  for (const shell of ["zsh", "fish"]) {
    const { code, stdout } = await runInProcess(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["cordon", "cluster-kubeconfig", "feature-gates", "yaml json name"])
      expect(stdout, shell).toContain(word);
    // what a shell would take for its own, in texts of ours, is quoted
    expect(
      stdout
        .split("\n")
        .filter((line) => (line.replaceAll("'\\''", "").replaceAll("\\'", "").split("'").length - 1) % 2 !== 0),
    ).toEqual([]);
  }
});

test("another shell is misuse", async () => {
  expect((await runInProcess(["completion", "csh"])).code).toBe(2);
});
