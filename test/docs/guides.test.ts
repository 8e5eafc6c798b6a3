import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { kubectlBinary } from "#test/kubectl/client-binaries.ts";

const root = join(import.meta.dirname, "..", "..");
const guides = join(root, "docs", "guide");
const pages = readdirSync(guides).filter((name) => name.endsWith(".md") && name !== "README.md");
/** What the overview has its reader type before any guide. */
const [, firstLines] = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(guides, "README.md"), "utf8"))!;
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

/** What a new user has: the sources, and a terminal in which `npm start` runs. */
async function start() {
  const folder = checkout();
  const bin = mkdtempSync(join(tmpdir(), "flotilla-guide-bin-"));
  symlinkSync(kubectlBinary("v36"), join(bin, "kubectl"));
  const path = [bin, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const env = { PATH: path, HOME: folder };
  const child = spawn("npm", ["start", "--silent", "--", "--port", "0"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true, // Ctrl-C is for all that runs in a terminal
  });
  await ready(child);
  return {
    folder,
    shell: (script: string) =>
      new Promise<string>((resolve, reject) => {
        const options = { cwd: folder, env, timeout: 240_000 };
        const words = ["-O", "expand_aliases", "-euo", "pipefail", "-c", `${firstLines}\n${script}`];
        execFile("bash", words, options, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`${script}\n${stdout}\n${stderr}`));
        });
      }),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      process.kill(-child.pid!, "SIGINT");
      await ended;
      for (const each of [folder, bin]) rmSync(each, { recursive: true, force: true });
    },
  };
}

/** A folder as a fresh clone has it, with the packages that an earlier start installed; it builds and keeps its data for itself. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), "flotilla-guide-"));
  cpSync(join(root, "tools"), join(folder, "tools"), { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(root, name), join(folder, name));
  utimesSync(join(folder, "package-lock.json"), 0, 0); // older than what is installed: the packages are everybody's
  for (const name of ["src", "data", "node_modules"]) symlinkSync(join(root, name), join(folder, name));
  return folder;
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
