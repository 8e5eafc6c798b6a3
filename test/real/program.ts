import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

export interface ProgramOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** Where its output goes. */
  readonly log: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A program of somebody else's, running beside the test. */
export interface RunningProgram {
  readonly pid: number;
  readonly ended: Promise<void>;
  /** Sends a signal; returns when it was sent. */
  signal(name: NodeJS.Signals): void;
  /** Ends it at once, as a power cut does; resolves when it is gone. */
  kill(): Promise<void>;
  /** The end of its output, for messages. */
  lastWords(): string;
}

/**
 * Runs the program, tells its id, and ends it as soon as nobody holds the other end of the standard input any more. Requests to stop that a
 * whole group of processes gets are for the program, not for its keeper.
 */
const keeper = [
  "trap '' TERM INT HUP",
  "exec 4<&0", // a shell gives its background jobs no standard input
  '(trap - TERM INT HUP; exec "$@") </dev/null 3>&- 4<&- & child=$!',
  "echo $child >&3",
  "exec 3>&-",
  "(cat <&4 >/dev/null; kill -9 $child 2>/dev/null) & watch=$!",
  "wait $child",
  "kill -9 $watch",
].join("\n");

/** Starts a program that never outlives this process, however this process ends. */
export async function startProgram({ file, args, log, env }: ProgramOptions): Promise<RunningProgram> {
  const output = openSync(log, "a");
  const child = spawn("sh", ["-c", keeper, "keeper", file, ...args], {
    stdio: ["pipe", output, output, "pipe"],
    env: env ?? process.env,
  });
  closeSync(output);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const pid = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.stdio[3]?.once("data", (text: Buffer) => resolve(Number(text.toString())));
  });
  child.stdin?.on("error", () => {}); // it may be gone already
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(pid, name);
    } catch {
      // it has ended
    }
  };
  return {
    pid,
    ended,
    signal,
    async kill() {
      signal("SIGKILL");
      await ended;
    },
    lastWords: () => readFileSync(log, "utf8").slice(-2_000),
  };
}

/** A port that nobody has now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Resolves when the look succeeds; when the program ends or time is up, fails with its last words. */
export async function whenReady(program: RunningProgram, look: () => Promise<boolean>, what: string): Promise<void> {
  let over = false;
  void program.ended.then(() => {
    over = true;
  });
  const deadline = Date.now() + 120_000;
  while (!(await look().catch(() => false))) {
    if (over || Date.now() > deadline) throw new Error(`cannot start ${what}: ${program.lastWords()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
