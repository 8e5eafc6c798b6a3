import type { CommitOutcome, Committer, DurableWrite } from "./committer.ts";
import type { Change } from "./history.ts";
import type { SharedTexts } from "./shared-texts.ts";
import {
  type LogRow,
  type OpenedLog,
  type ReadRows,
  rowTypes,
  type SqliteReply,
  type SqliteRequest,
} from "./sqlite-protocol.ts";
import type { SqliteConnection } from "./sqlite-threads.ts";
import { StoreFailure } from "./store-failure.ts";
import type { Codec } from "./stored-codec.ts";

/** The store's side of the thread that owns the database: requests go out, replies come back in the same order. */
export class SqliteCommitter<Value> implements Committer<Value> {
  readonly #connection: SqliteConnection;
  readonly encode: (value: Value) => string;
  readonly #shared: SharedTexts | undefined;
  readonly #opening = new Replies<OpenedLog>();
  readonly #reading = new Replies<ReadRows>();
  readonly #committing = new Replies<CommitOutcome>();
  readonly #compacting = new Replies<void>();
  readonly #closing = new Replies<void>();
  /** What goes out with the next commit, and what becomes of it. */
  readonly #rows: LogRow[] = [];
  #gathered: Promise<CommitOutcome> | undefined;
  #failure: StoreFailure | undefined;

  constructor(connection: SqliteConnection, { encode, shared }: Pick<Codec<Value>, "encode" | "shared">) {
    this.#connection = connection;
    this.encode = encode;
    this.#shared = shared;
    // The worker sends nothing but replies.
    connection.port.on("message", (reply: SqliteReply) => this.#take(reply));
    connection.onLost((failure) => this.#fail(failure));
  }

  opened(): Promise<OpenedLog> {
    return this.#expect(this.#opening);
  }

  read(): Promise<ReadRows> {
    return this.#request(this.#reading, { do: "read" });
  }

  commit(writes: readonly DurableWrite<Value>[]): Promise<CommitOutcome> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    for (const write of writes) this.#rows.push(rowOf(write));
    this.#gathered ??= new Promise((resolve) => {
      // messages cost more than what is in them: one for all that is written in one turn of the event loop
      setImmediate(() => resolve(this.#commitGathered()));
    });
    return this.#gathered;
  }

  /** Holds no rows while it waits: their texts are half of what there is to collect in a fleet of many members. */
  #commitGathered(): Promise<CommitOutcome> {
    const texts = this.#shared?.unsaved() ?? [];
    const committed = this.#request(this.#committing, { do: "commit", rows: this.#rows.splice(0), texts });
    this.#gathered = undefined;
    return committed.then((outcome) => {
      this.#shared?.committed(texts, outcome);
      return outcome;
    });
  }

  compact(revision: number): Promise<void> {
    return this.#request(this.#compacting, { do: "compact", revision });
  }

  /** Closes the database, or only lets go of it when that has failed. */
  async close(): Promise<void> {
    try {
      if (this.#failure === undefined) await this.#request(this.#closing, { do: "close" });
    } finally {
      this.#fail(new StoreFailure("io", "cannot go on with the store: it is closed"));
      await this.#connection.release();
    }
  }

  #request<Result>(replies: Replies<Result>, request: SqliteRequest): Promise<Result> {
    if (this.#failure === undefined) this.#connection.port.postMessage(request);
    return this.#expect(replies);
  }

  #expect<Result>(replies: Replies<Result>): Promise<Result> {
    return this.#failure === undefined ? replies.next() : Promise.reject(this.#failure);
  }

  #take(reply: SqliteReply): void {
    switch (reply.is) {
      case "opened":
        this.#opening.resolve(reply);
        break;
      case "rows":
        this.#reading.resolve(reply);
        break;
      case "committed":
        for (let request = 0; request < reply.requests; request++) this.#committing.resolve(reply.outcome);
        break;
      case "compacted":
        this.#compacting.resolve();
        break;
      case "closed":
        this.#closing.resolve();
        break;
      case "failed":
        this.#fail(new StoreFailure(reply.why, reply.message));
    }
  }

  #fail(failure: StoreFailure): void {
    this.#failure ??= failure;
    for (const replies of [this.#opening, this.#reading, this.#committing, this.#compacting, this.#closing]) {
      replies.rejectAll(this.#failure);
    }
  }
}

/** Those who wait for one kind of reply, in the order they asked. */
class Replies<Result> {
  readonly #waiting: { resolve(result: Result): void; reject(error: Error): void }[] = [];

  next(): Promise<Result> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  resolve(result: Result): void {
    this.#waiting.shift()?.resolve(result);
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function rowOf<Value>({ change, text }: DurableWrite<Value>): LogRow {
  const { type, key, revision, entry, before }: Change<Value> = change;
  return [revision, rowTypes.indexOf(type), entry.createRevision, before?.revision ?? 0, key, text];
}
