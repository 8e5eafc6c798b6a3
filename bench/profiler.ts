import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writeHeapSnapshot } from "node:v8";

/** Finds out where a process spends its time and what it holds; files are for the tools of a browser. */
export interface Profiler {
  start(): Promise<void>;
  /** Writes what was seen since the start. */
  stop(file: string): Promise<void>;
  heap(file: string): Promise<void>;
}

/** Of this process' main thread. */
export function ownProfiler(): Profiler {
  const session = new Session();
  session.connect();
  return {
    async start() {
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: 1_000 });
      await session.post("Profiler.start");
    },
    async stop(file) {
      const { profile } = await session.post("Profiler.stop");
      writeFileSync(file, JSON.stringify(profile));
    },
    async heap(file) {
      writeHeapSnapshot(file);
    },
  };
}

const requestFile = "request.json";

/**
 * Of another process, which was started with `--import dist/bench-profile.js` and the folder in `profileVariable`. One that takes its place
 * can be watched from its first moment on.
 */
export function signalledProfiler(pid: () => number, folder: string): Profiler & { startWithNext(): void } {
  const file = join(folder, requestFile);
  const put = (request: ProfileRequest) => {
    writeFileSync(`${file}.new`, JSON.stringify(request));
    renameSync(`${file}.new`, file);
  };
  const ask = async (request: ProfileRequest) => {
    put(request);
    process.kill(pid(), "SIGUSR2");
    for (let waited = 0; existsSync(file); waited++) {
      if (waited > 1_200) throw new Error(`cannot profile process ${pid()}: it does not answer`);
      await pause(100);
    }
  };
  return {
    start: () => ask({ do: "start", file: "" }),
    stop: (file) => ask({ do: "stop", file }),
    heap: (file) => ask({ do: "heap", file }),
    startWithNext: () => put({ do: "start", file: "" }),
  };
}

/** Names the folder through which a process is asked for profiles. */
export const profileVariable = "FLOTILLA_BENCH_PROFILE";

interface ProfileRequest {
  readonly do: "start" | "stop" | "heap";
  readonly file: string;
}

/** Carries out what is asked for in the folder, if anything. */
export async function answerProfileRequest(profiler: Profiler, folder: string): Promise<void> {
  const at = join(folder, requestFile);
  if (!existsSync(at)) return;
  const request = JSON.parse(readFileSync(at, "utf8")) as ProfileRequest; // as written above
  try {
    await profiler[request.do](request.file);
  } catch (error: unknown) {
    process.stderr.write(`cannot ${request.do} the profile: ${String(error)}\n`); // what is measured goes on
  }
  rmSync(at);
}

/** Where a benchmark's profiles go, and who takes them; nothing happens without. */
export class Profiles {
  readonly #folder: string | undefined;
  readonly #profiler: () => Profiler;
  #own: Profiler | undefined;

  constructor(folder: string | undefined, profiler: () => Profiler = ownProfiler) {
    this.#folder = folder;
    this.#profiler = profiler;
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
  }

  /** Writes a CPU profile of what happens meanwhile. */
  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#folder === undefined) return work();
    this.#own ??= this.#profiler();
    await this.#own.start();
    try {
      return await work();
    } finally {
      await this.#own.stop(this.#file(name, "cpuprofile"));
    }
  }

  /** Writes what the process holds now. */
  async heap(name: string): Promise<void> {
    if (this.#folder === undefined) return;
    this.#own ??= this.#profiler();
    await this.#own.heap(this.#file(name, "heapsnapshot"));
  }

  #file(name: string, extension: string): string {
    const plain = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    return join(this.#folder ?? "", `${plain}.${extension}`);
  }
}
