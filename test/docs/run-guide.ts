import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kubectlBinary } from "#test/kubectl/client-binaries.ts";
import { freePort } from "#test/real/program.ts";

export interface Guide {
  /** A page of docs. */
  readonly page: string;
  /** An empty folder: where the reader's shell is. */
  readonly folder: string;
  /** The files that the reader has, by the name that the page gives them. */
  readonly files: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, "..", "..");
/** Ports that the page names; others may have them here. */
const ports = ["8443", "10357"];

/** Does what a page says, block by block in one shell, with the page's own words; fails with what was printed. */
export async function runGuide({ page, folder, files }: Guide): Promise<string> {
  const text = readFileSync(join(root, "docs", page), "utf8");
  let script = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!).join("\n");
  for (const port of ports) script = script.replaceAll(port, String(await freePort()));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(kubectlBinary("v36"), join(bin, "kubectl"));
  writeFileSync(join(bin, "flotilla"), `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/flotilla.js" "$@"\n`);
  chmodSync(join(bin, "flotilla"), 0o755);
  for (const [name, file] of Object.entries(files)) copyFileSync(file, join(folder, name));
  return shell(script, folder, bin);
}

/** What goes on in the background ends with the shell. */
function shell(script: string, folder: string, bin: string): Promise<string> {
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: folder };
  const child = spawn("bash", ["-xeuo", "pipefail", "-c", `trap 'kill $(jobs -p)' EXIT\n${script}`], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`the guide ended with ${code}:\n${printed}`));
    });
  });
}
