import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { OpenDatabase, SqliteWorkerOptions } from "./sqlite-protocol.ts";
import { StoreFailure } from "./store-failure.ts";

/** What a store has of the thread that owns its database. */
export interface SqliteConnection {
  readonly port: MessagePort;
  /** For when the thread has ended before its time. */
  readonly onLost: (tell: (failure: StoreFailure) => void) => void;
  /** The database is closed. Its file is free once every store of the thread has said so, and the thread is gone. */
  readonly release: () => Promise<void>;
}

interface SqliteThreadsOptions {
  /** How many there are at most; stores beyond that share, and are written one after the other. */
  readonly limit: number;
  /** The bundled sqlite-worker.js; found beside the program when not given. */
  readonly worker?: URL | undefined;
}

/** Threads that own databases. One takes 10 MB, whatever is in its databases: fleets of many members have few for all. */
export class SqliteThreads {
  readonly #limit: number;
  readonly #program: URL;
  readonly #threads = new Set<SqliteThread>();

  constructor({ limit, worker = bundledWorker() }: SqliteThreadsOptions) {
    this.#limit = limit;
    this.#program = worker;
  }

  /** Opens a database in the thread that has the fewest; whether that succeeded is its first message. */
  open(options: SqliteWorkerOptions): SqliteConnection {
    const thread = this.#threads.size < this.#limit ? this.#start() : this.#leastBusy();
    const { port1: port, port2 } = new MessageChannel();
    const request: OpenDatabase = { options, port: port2 };
    thread.worker.postMessage(request, [port2]);
    thread.ports.add(port);
    return {
      port,
      onLost: (tell) => thread.losers.add(tell),
      release: () => this.#release(thread, port),
    };
  }

  #start(): SqliteThread {
    const worker = new Worker(this.#program);
    const thread: SqliteThread = { worker, ports: new Set(), losers: new Set() };
    const lose = (why: string, cause?: Error) => {
      this.#threads.delete(thread);
      for (const tell of thread.losers) tell(new StoreFailure("io", `cannot go on with the store: ${why}`, { cause }));
    };
    worker.on("error", (error) => lose(error.message, error));
    worker.on("exit", () => lose("its thread ended"));
    this.#threads.add(thread);
    return thread;
  }

  #leastBusy(): SqliteThread {
    const [first, ...others] = this.#threads;
    return others.reduce((least, each) => (each.ports.size < least.ports.size ? each : least), first!); // there is one: the limit was reached
  }

  /** Statements keep the file locked until the thread is gone. */
  async #release(thread: SqliteThread, port: MessagePort): Promise<void> {
    port.close();
    thread.ports.delete(port);
    if (thread.ports.size > 0) return;
    this.#threads.delete(thread);
    await thread.worker.terminate();
  }
}

interface SqliteThread {
  readonly worker: Worker;
  /** Of the stores that have not closed yet. */
  readonly ports: Set<MessagePort>;
  readonly losers: Set<(failure: StoreFailure) => void>;
}

/** Bundles lie directly in dist/; run from its source, the store uses the worker that was built last. */
function bundledWorker(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith(".ts") ? "../../dist/workers/sqlite-worker.js" : "./workers/sqlite-worker.js", here);
}
