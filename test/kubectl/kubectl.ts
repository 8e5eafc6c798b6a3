import { execFile, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Draft } from "#api/meta/object-meta.ts";
import { helmBinary, type KubectlVersion, kubectlBinary } from "./client-binaries.ts";

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs real client binaries against one kubeconfig, each with a home (and so a discovery cache) of its own. */
export class Kubectl {
  readonly folder = mkdtempSync(join(tmpdir(), "flotilla-kubectl-"));
  readonly #version: KubectlVersion;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(version: KubectlVersion, kubeconfig: string) {
    this.#version = version;
    this.#environment = {
      PATH: process.env["PATH"] ?? "",
      HOME: this.folder,
      KUBECONFIG: kubeconfig,
      KUBE_EDITOR: "true",
      GOGC: "off", // a command is over before clearing up after it pays
    };
  }

  /** Runs to the end, whatever comes of it. */
  try(
    args: readonly string[],
    options: { readonly input?: string; readonly environment?: NodeJS.ProcessEnv } = {},
  ): Promise<CommandResult> {
    return run(kubectlBinary(this.#version), args, {
      cwd: this.folder,
      env: { ...this.#environment, ...options.environment },
      input: options.input,
    });
  }

  /** Runs and expects success; gives what was printed. A failure shows the command and its error. */
  async run(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.try(args);
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")} failed (${code}): ${stderr || stdout}`);
    return stdout;
  }

  /** Runs and expects a failure; gives what it complained about. */
  async fails(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.try(args);
    if (code === 0) throw new Error(`kubectl ${args.join(" ")} succeeded: ${stdout}`);
    return stderr || stdout;
  }

  /** Gives a manifest to a command on standard input (`-f -`). */
  async feed(manifest: string, ...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, { input: manifest });
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")} failed (${code}): ${stderr || stdout}\n${manifest}`);
    return stdout;
  }

  async json<T = Draft>(...args: readonly string[]): Promise<T> {
    return JSON.parse(await this.run(...args, "-o", "json")) as T; // what kubectl printed
  }

  helm(...args: readonly string[]): Promise<CommandResult> {
    return run(helmBinary(this.#version), args, { cwd: this.folder, env: this.#environment });
  }

  write(name: string, text: string): string {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }

  /** A command that goes on (`get --watch`); lines as they come. */
  follow(...args: readonly string[]): { readonly next: (match: RegExp) => Promise<string>; readonly stop: () => void } {
    const child = spawn(kubectlBinary(this.#version), args, {
      cwd: this.folder,
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let seen = "";
    const waiting = new Set<() => void>();
    const take = (chunk: Buffer) => {
      seen += chunk.toString();
      for (const wake of waiting) wake();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    return {
      next: (match) =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`no line matched ${match} in: ${seen}`)), 15_000);
          const check = () => {
            const line = seen.split("\n").find((each) => match.test(each));
            if (line === undefined) return;
            clearTimeout(timer);
            waiting.delete(check);
            resolve(line);
          };
          waiting.add(check);
          check();
        }),
      stop: () => child.kill(),
    };
  }
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | undefined;
}

function run(binary: string, args: readonly string[], { cwd, env, input }: RunOptions): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      binary,
      args,
      { cwd, env, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1, stdout, stderr });
      },
    );
    child.stdin?.on("error", () => {}); // the command may end before it has read everything
    child.stdin?.end(input ?? "");
  });
}
