import { Worker } from "node:worker_threads";
import type { Clock } from "#base/clock.ts";
import { stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import { type LuaReply, type LuaRequest, type LuaWorkerOptions, luaReady } from "./lua-protocol.ts";

export interface LuaHostOptions {
  /** The machine's clock: scripts run in real time, whatever time a simulation has. */
  readonly clock: Clock;
  /** How long a run may take. */
  readonly limitMs?: number;
  readonly maxMemoryBytes?: number;
  /** How many runs may wait. */
  readonly maxWaiting?: number;
  /** The bundled lua-worker.js; found beside the program when not given. */
  readonly worker?: URL;
}

/** One function of a script and its arguments. */
export interface LuaCall {
  readonly script: string;
  readonly entry: string;
  readonly args: readonly unknown[];
}

/** What a script returned, or why it did not. `again`: the same call may go well another time. */
export type LuaResult =
  | { readonly ok: true; readonly results: readonly unknown[] }
  | { readonly ok: false; readonly error: string; readonly again: boolean };

interface Job {
  readonly request: LuaRequest;
  readonly resolve: (result: LuaResult) => void;
}

const startLimitMs = 30_000;
const maxKills = 5;
const rememberedScripts = 1_000;

/**
 * Runs scripts one after the other in a thread of their own, which is ended, whatever it does, when a run takes too long. The thread
 * starts with the first call: who has no scripts pays nothing.
 *
 *   none ── first call ──▶ starting ── ready ──▶ idle ◀──▶ running ── limit, crash ──▶ none
 */
export class LuaHost implements AsyncDisposable {
  readonly #options: Required<Omit<LuaHostOptions, "worker">> & { readonly worker: URL };
  readonly #waiting: Job[] = [];
  /** How often a script has cost us the thread. */
  readonly #kills = new Map<string, number>();
  #worker: Worker | undefined;
  #isReady = false;
  #running: Job | undefined;
  #cancelLimit: () => void = () => {};
  #closed = false;

  constructor({ worker = bundledWorker(), ...options }: LuaHostOptions) {
    this.#options = { limitMs: 1_000, maxMemoryBytes: 64 << 20, maxWaiting: 10_000, ...options, worker };
  }

  /** Runs the script, then the function. Never rejects. */
  run({ script, entry, args }: LuaCall): Promise<LuaResult> {
    return this.#ask({ do: "run", script, entry, args: stringifyJson(args) });
  }

  /** Why a script is not Lua; undefined when it is. Runs nothing of it. */
  async parse(script: string): Promise<string | undefined> {
    const result = await this.#ask({ do: "parse", script });
    return result.ok ? undefined : result.error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const jobs = [...(this.#running === undefined ? [] : [this.#running]), ...this.#waiting.splice(0)];
    await this.#drop();
    for (const { resolve } of jobs) resolve({ ok: false, error: "Lua is being stopped", again: true });
  }

  #ask(request: LuaRequest): Promise<LuaResult> {
    const refusal = this.#refusal(request.script);
    if (refusal !== undefined) return Promise.resolve(refusal);
    return new Promise((resolve) => {
      this.#waiting.push({ request, resolve });
      this.#next();
    });
  }

  #refusal(script: string): LuaResult | undefined {
    if (this.#closed) return { ok: false, error: "Lua is being stopped", again: true };
    if ((this.#kills.get(script) ?? 0) >= maxKills)
      return { ok: false, error: `the script had to be ended ${maxKills} times and is not run any more`, again: false };
    if (this.#waiting.length >= this.#options.maxWaiting)
      return { ok: false, error: `${this.#waiting.length} runs are waiting already`, again: true };
    return undefined;
  }

  #next(): void {
    if (this.#running !== undefined || this.#waiting.length === 0) return;
    if (this.#worker === undefined) return this.#start();
    if (!this.#isReady) return;
    const job = this.#waiting.shift()!;
    const refusal =
      (this.#kills.get(job.request.script) ?? 0) >= maxKills ? this.#refusal(job.request.script) : undefined;
    if (refusal !== undefined) {
      job.resolve(refusal);
      return this.#next();
    }
    this.#running = job;
    this.#limit(this.#options.limitMs, `the script took longer than ${this.#options.limitMs} ms`);
    this.#worker.postMessage(job.request);
  }

  #start(): void {
    const { worker: url, maxMemoryBytes } = this.#options;
    const workerData: LuaWorkerOptions = { maxMemoryBytes };
    const worker = new Worker(url, {
      workerData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 },
    });
    worker.unref();
    this.#worker = worker;
    this.#limit(startLimitMs, "Lua does not start");
    worker.on("message", (message: LuaReply | typeof luaReady) => this.#receive(worker, message));
    worker.on("error", (error) => this.#fail(worker, error.message));
    worker.on("exit", () => this.#fail(worker, "the script ended its thread"));
  }

  #receive(worker: Worker, message: LuaReply | typeof luaReady): void {
    if (worker !== this.#worker) return; // it has been given up
    this.#cancelLimit();
    const job = this.#running;
    this.#running = undefined;
    this.#isReady = true;
    if (message !== luaReady && job !== undefined) {
      if (!message.ok && message.broken) this.#countKill(job.request.script);
      job.resolve(message.ok ? readResults(message.results) : { ...message, again: message.broken });
    }
    this.#next();
  }

  /** The thread is lost; whose run it was is told, the others get a new one. */
  #fail(worker: Worker, error: string): void {
    if (worker !== this.#worker) return;
    const job = this.#running ?? (this.#isReady ? undefined : this.#waiting.shift());
    if (this.#running !== undefined) this.#countKill(this.#running.request.script);
    void this.#drop();
    job?.resolve({ ok: false, error, again: true });
    this.#next();
  }

  #limit(ms: number, error: string): void {
    const worker = this.#worker!;
    this.#cancelLimit = this.#options.clock.after(ms, () => this.#fail(worker, error));
  }

  async #drop(): Promise<void> {
    const worker = this.#worker;
    this.#cancelLimit();
    this.#worker = undefined;
    this.#isReady = false;
    this.#running = undefined;
    await worker?.terminate();
  }

  #countKill(script: string): void {
    const kills = (this.#kills.get(script) ?? 0) + 1;
    this.#kills.delete(script);
    this.#kills.set(script, kills);
    for (const oldest of this.#kills.keys()) {
      if (this.#kills.size <= rememberedScripts) break;
      this.#kills.delete(oldest);
    }
  }
}

function readResults(text: string): LuaResult {
  const results = parseJson(text).value as readonly unknown[]; // the worker's own list
  return { ok: true, results };
}

/** Bundles lie directly in dist/; run from its source, the host uses the worker that was built last. */
function bundledWorker(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith(".ts") ? "../../dist/workers/lua-worker.js" : "./workers/lua-worker.js", here);
}
