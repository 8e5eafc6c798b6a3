import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { SqliteKeeper } from "./sqlite-keeper.ts";
import type { Appended, LogRow, OpenedLog, SqliteReply, SqliteRequest } from "./sqlite-protocol.ts";
import { StoreFailure } from "./store-failure.ts";

/** A group is closed at this size, so that one burst cannot hold up the answers to everybody. */
const groupCharacters = 8 << 20;

/**
 * Answers the store's requests in the thread that owns the database. Everything that was asked for while one transaction ran
 * goes into the next: one fsync serves all who wait.
 */
export class SqliteService {
  readonly #port: MessagePort;
  readonly #waiting: SqliteRequest[] = [];
  #keeper: SqliteKeeper | undefined;
  /** How many requests for compaction wait for the end of the sweep. */
  #compactions = 0;
  #isSweeping = false;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  start(open: () => SqliteKeeper): void {
    let opened: OpenedLog;
    try {
      const keeper = open();
      opened = { ...keeper.opened, texts: keeper.texts() };
      this.#keeper = keeper;
    } catch (error) {
      this.#sendFailure(error);
      return;
    }
    // The store sends nothing but requests.
    this.#port.on("message", (request: SqliteRequest) => this.#answerAll(request));
    this.#send({ is: "opened", ...opened });
  }

  #answerAll(first: SqliteRequest): void {
    this.#waiting.push(first);
    this.#takeWaiting();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const request = next;
      this.#unlessFailed((keeper) => this.#answer(keeper, request));
    }
  }

  #takeWaiting(): void {
    for (let more = receiveMessageOnPort(this.#port); more !== undefined; more = receiveMessageOnPort(this.#port)) {
      this.#waiting.push(more.message);
    }
  }

  #answer(keeper: SqliteKeeper, request: SqliteRequest): void {
    switch (request.do) {
      case "read":
        this.#read(keeper);
        break;
      case "commit":
        this.#commitGroup(keeper, request);
        break;
      case "compact":
        keeper.compact(request.revision);
        this.#compactions++;
        this.#startSweep();
        break;
      case "close":
        keeper.close();
        this.#keeper = undefined;
        this.#send({ is: "closed" });
        this.#port.close();
    }
  }

  /** What an earlier process left unswept is swept when everything was read, never under the reader's hands. */
  #read(keeper: SqliteKeeper): void {
    const read = keeper.read();
    this.#send({ is: "rows", ...read });
    if (read.rows.length === 0 && keeper.opened.swept < keeper.opened.compacted) this.#startSweep();
  }

  #commitGroup(keeper: SqliteKeeper, first: Appended): void {
    const rows = [...first.rows];
    const texts = [...first.texts];
    let requests = 1;
    let characters = charactersOf(rows);
    for (let next = this.#waiting[0]; next?.do === "commit" && characters < groupCharacters; next = this.#waiting[0]) {
      for (const row of next.rows) rows.push(row);
      for (const text of next.texts) texts.push(text);
      characters += charactersOf(next.rows);
      requests++;
      this.#waiting.shift();
    }
    this.#send({ is: "committed", requests, outcome: keeper.commit({ rows, texts }) });
    keeper.tidy();
  }

  #startSweep(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    setImmediate(() => this.#unlessFailed((keeper) => this.#sweep(keeper)));
  }

  /** Slice by slice, with whoever waits in between. */
  #sweep(keeper: SqliteKeeper): void {
    this.#isSweeping = false;
    if (keeper.sweep()) {
      this.#startSweep();
      return;
    }
    for (; this.#compactions > 0; this.#compactions--) this.#send({ is: "compacted" });
  }

  /** After a failure the database is left alone: whatever else was asked is answered by the store itself. */
  #unlessFailed(work: (keeper: SqliteKeeper) => void): void {
    const keeper = this.#keeper;
    if (keeper === undefined) return;
    try {
      work(keeper);
    } catch (error) {
      this.#keeper = undefined;
      keeper.abandon();
      this.#sendFailure(error);
    }
  }

  #sendFailure(error: unknown): void {
    const why = error instanceof StoreFailure ? error.why : "io";
    this.#send({ is: "failed", why, message: error instanceof Error ? error.message : String(error) });
  }

  #send(reply: SqliteReply): void {
    this.#port.postMessage(reply);
  }
}

function charactersOf(rows: readonly LogRow[]): number {
  return rows.reduce((sum, row) => sum + row[5].length, 0);
}
