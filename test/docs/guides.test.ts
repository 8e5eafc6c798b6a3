import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { kubectlBinary } from "#test/kubectl/client-binaries.ts";

const root = join(import.meta.dirname, "..", "..");
const guides = join(root, "docs", "guide");
const program = join(root, "dist", "flotilla.js");
const pages = readdirSync(guides).filter((name) => name.endsWith(".md") && name !== "README.md");
/** Those that begin with `npm start`; the other one has a test of its own. */
const names = pages.filter((name) => name !== "on-kubernetes.md");

describe("each guide works from its first line on a fresh start", () => {
  for (const name of names)
    test.concurrent(name, { timeout: 300_000 }, async () => {
      await using fleet = await start();
      let said = "";
      for (const { language, file, content } of blocksOf(readFileSync(join(guides, name), "utf8"))) {
        if (file !== undefined) writeFileSync(join(fleet.folder, file), content);
        else if (language === "sh") said = await fleet.shell(content);
        else if (language === "text") expectLines(said, content);
      }
    });
});

test("the overview names every guide, and says what its reader types first", () => {
  const overview = readFileSync(join(guides, "README.md"), "utf8");
  for (const name of pages) expect(overview).toContain(`](${basename(name)})`);
  expect(overview).toContain("npm start");
});

interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly content: string;
}

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w+)(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].map(([, language, file, content]) => ({
    language: language!,
    file,
    content: content!,
  }));
}

/** Every line of the sample stands in what was printed, in this order; blanks do not count and … is anything. */
function expectLines(said: string, sample: string): void {
  const printed = said.split("\n").map((line) => line.replaceAll(/\s+/g, " "));
  let from = 0;
  for (const line of sample.trim().split("\n")) {
    const parts = line.split("…").map((part) => part.trim().replaceAll(/\s+/g, " "));
    const at = printed.findIndex((each, index) => index >= from && holds(each, parts));
    expect(at, `cannot find ${JSON.stringify(line)} in\n${said}`).not.toBe(-1);
    from = at + 1;
  }
}

function holds(line: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = line.indexOf(part, from);
    from = at + part.length;
    return at !== -1;
  });
}

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "flotilla-guide-"));
  const bin = mkdtempSync(join(tmpdir(), "flotilla-guide-bin-"));
  symlinkSync(kubectlBinary("v36"), join(bin, "kubectl"));
  symlinkSync(program, join(bin, "flotilla"));
  const child = spawn(process.execPath, [program, "up", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await ready(child);
  const path = [bin, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const env = { PATH: path, HOME: folder, KUBECONFIG: join(folder, ".flotilla", "kubeconfig") };
  return {
    folder,
    shell: (script: string) =>
      new Promise<string>((resolve, reject) => {
        const options = { cwd: folder, env, timeout: 240_000 };
        execFile("bash", ["-euo", "pipefail", "-c", script], options, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`${script}\n${stdout}\n${stderr}`));
        });
      }),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGINT");
      await ended;
      for (const each of [folder, bin]) rmSync(each, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  let text = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      text += String(chunk);
      if (/^ready$/m.test(text)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`the control plane ended with ${code}\n${text}`)));
  });
}
