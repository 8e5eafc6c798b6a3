import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const program = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The program as a person starts it, with nothing of this machine's kubeconfigs. */
export class Flotilla {
  readonly #env: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #started: ChildProcess[] = [];

  /** In a folder, when not in the present one. */
  constructor(env: Readonly<Record<string, string>> = {}, folder = process.cwd()) {
    this.#env = env;
    this.#folder = folder;
  }

  /** Runs a command to its end. */
  run(...args: readonly string[]): Promise<Ended> {
    return ended(this.start(...args));
  }

  /** The same with something on its standard input. */
  feed(input: string, ...args: readonly string[]): Promise<Ended> {
    const child = this.#spawn("pipe", args);
    child.stdin?.on("error", () => {}); // it may have heard enough
    child.stdin?.end(input);
    return ended(child);
  }

  /** What a command prints; an error when it fails. */
  async output(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await this.run(...args);
    if (code !== 0) throw new Error(`flotilla ${args.join(" ")} ended with ${code}: ${err}`);
    return out;
  }

  start(...args: readonly string[]): ChildProcess {
    return this.#spawn("ignore", args);
  }

  #spawn(input: "ignore" | "pipe", args: readonly string[]): ChildProcess {
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: "/nowhere", ...this.#env };
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.#folder,
      env,
      stdio: [input, "pipe", "pipe"],
    });
    this.#started.push(child);
    return child;
  }

  /** Ends what is still running. */
  stop(): void {
    for (const child of this.#started) if (child.exitCode === null) child.kill("SIGKILL");
  }
}

function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out, err }));
  });
}

/** Resolves when a program says something; fails when it ends before, or when Node.js suspects a leak in it. */
export function saying(child: ChildProcess, words: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("MaxListenersExceededWarning")) reject(new Error(`the program leaks: ${text}`));
      if (words.test(text)) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("close", (code) => reject(new Error(`the program ended with ${code}: ${text}`)));
  });
}
