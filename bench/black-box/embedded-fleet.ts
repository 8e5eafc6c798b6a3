import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { profileVariable, signalledProfiler } from "../profiler.ts";
import { untilAnswering } from "../until-answering.ts";
import type { Restarted, Surroundings } from "./measured-fleet.ts";

export interface EmbeddedOptions {
  readonly directory: string;
  readonly members: readonly string[];
  readonly profile: string | undefined;
}

/** An embedded control plane with simulated members in a process of its own, which can be ended and started anew. */
export class EmbeddedFleet implements AsyncDisposable {
  readonly kubeconfig: string;
  readonly #options: EmbeddedOptions;
  #child: ChildProcess | undefined;

  private constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.kubeconfig = join(options.directory, "kubeconfig");
  }

  static async start(options: EmbeddedOptions): Promise<EmbeddedFleet> {
    const fleet = new EmbeddedFleet(options);
    await fleet.#start();
    return fleet;
  }

  get surroundings(): Surroundings {
    const { directory, profile } = this.#options;
    const profiler = profile === undefined ? undefined : signalledProfiler(() => this.#pid(), directory);
    return {
      pids: () => [this.#pid()],
      runsWorkloads: true,
      isPassing: true,
      scrape: (cluster) => this.#scrape(cluster),
      restart: async () => {
        await this[Symbol.asyncDispose]();
        profiler?.startWithNext();
        return this.#restart();
      },
      ...(profiler && { profiler: () => profiler }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }

  async #restart(): Promise<Restarted> {
    const started = performance.now();
    const sinceStart = () => (performance.now() - started) / 1_000;
    const over = new AbortController();
    const answering = untilAnswering(this.#options.directory, over.signal).then(sinceStart);
    await this.#start().finally(() => over.abort());
    return { seconds: await answering, figures: { "s until simulated members are back": sinceStart() } };
  }

  /** Until the process says that everything is there. */
  async #start(): Promise<void> {
    const { directory, members, profile } = this.#options;
    const preload = profile === undefined ? [] : ["--import", "./dist/bench-profile.js"];
    const child = spawn(
      process.execPath,
      [...process.execArgv, ...preload, "dist/bench-fleet.js", directory, members.join(",")],
      {
        stdio: ["ignore", "pipe", "inherit", "ipc"],
        env: { ...process.env, [profileVariable]: directory },
      },
    );
    this.#child = child;
    const { stdout } = child;
    if (stdout === null) throw new Error("cannot read what the fleet's process says");
    for await (const line of createInterface({ input: stdout })) if (line === "ready") return;
    throw new Error("cannot start the fleet's process: it ended");
  }

  #pid(): number {
    return this.#child?.pid ?? 0;
  }

  #scrape(cluster: string): Promise<string> {
    const child = this.#child;
    if (child === undefined) throw new Error("cannot ask the fleet's process: it has ended");
    return new Promise((resolve) => {
      const hear = (answer: { readonly cluster: string; readonly text: string }) => {
        if (answer.cluster !== cluster) return;
        child.off("message", hear);
        resolve(answer.text);
      };
      child.on("message", hear);
      child.send(cluster);
    });
  }
}
