import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServedCluster } from "#test/world/http.ts";

const program = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");

/** A control plane in a process of its own, so that its memory and its time are nobody else's. */
export interface ServerProcess extends ServedCluster, AsyncDisposable {
  /** Resident memory now, in MiB; undefined where the system does not tell. */
  memory(): number | undefined;
  isAlive(): boolean;
}

/** Starts `flotilla up` without members. */
export async function startServerProcess(): Promise<ServerProcess> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-process-"));
  const args = ["up", "--data", directory, "--port", "0", "--members", "0"];
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  await untilReady(child);
  const kubeconfig = readFileSync(join(directory, "kubeconfig"), "utf8");
  const field = (name: string) => new RegExp(`${name}: ["']?([^\\s"']+)`).exec(kubeconfig)?.[1] ?? "";
  const decoded = (name: string) => Buffer.from(field(name), "base64").toString();
  return {
    url: field("server"),
    pki: {
      ca: { certificate: decoded("certificate-authority-data") },
      admin: { certificate: decoded("client-certificate-data"), privateKey: decoded("client-key-data") },
    },
    memory: () => residentMiB(child.pid),
    isAlive: () => child.exitCode === null,
    async [Symbol.asyncDispose]() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.kill("SIGKILL")) await gone;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The most memory that a piece of work made the process take beyond what it had. */
export async function memoryGrowth(server: ServerProcess, work: () => Promise<unknown>): Promise<number> {
  const before = server.memory() ?? 0;
  let most = before;
  const sample = () => {
    most = Math.max(most, server.memory() ?? 0);
  };
  const timer = setInterval(sample, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  sample();
  return most - before;
}

function residentMiB(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+([0-9]+) kB/m.exec(status)?.[1]) / 1024;
  } catch {
    return undefined; // no Linux
  }
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (/^ready$/m.test(output)) resolve();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  });
}
