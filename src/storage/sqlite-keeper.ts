import { join } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { CommitOutcome } from "./committer.ts";
import { DiskSpace } from "./disk-space.ts";
import { LogReading } from "./log-reading.ts";
import type { SharedText } from "./shared-texts.ts";
import { closeQuietly, openDatabase, setAside } from "./sqlite-database.ts";
import { failureOf, sqliteErrors } from "./sqlite-failure.ts";
import { SqliteLog } from "./sqlite-log.ts";
import {
  type Appended,
  databaseFile,
  deletionType,
  type LogBounds,
  type ReadRows,
  type SqliteWorkerOptions,
} from "./sqlite-protocol.ts";
import type { StoreFailure } from "./store-failure.ts";

const sweepRows = 500;
/** What removing a row writes at most, about: half a page, which others share. */
const sweptRowBytes = 4_096;
const noSpace = Symbol("noSpace");
/** What SQLite adds around a row: its page is written whole. */
const pageOverheadBytes = 8_192;

/**
 * Keeps the log in a database: one transaction per group of writes, checkpoints and compaction in between. Every method throws
 * a StoreFailure when the disk failed; after that, none may be called again (an fsync that failed must never be repeated:
 * it could succeed without having written anything).
 */
export class SqliteKeeper {
  readonly #options: SqliteWorkerOptions;
  readonly #database: DatabaseSyncInstance;
  readonly #log: SqliteLog;
  readonly #reading: LogReading;
  readonly #space: DiskSpace;
  #bytesSinceCheckpoint = 0;

  constructor(options: SqliteWorkerOptions) {
    this.#options = options;
    this.#database = openDatabase(options);
    try {
      this.#log = new SqliteLog(this.#database);
      this.#reading = new LogReading(this.#database, { log: this.#log, historyLimit: options.historyLimit });
      this.#space = new DiskSpace(this.#database, options);
    } catch (error) {
      closeQuietly(this.#database);
      throw this.#failure("open", error);
    }
  }

  get opened(): LogBounds {
    return this.#log.opened;
  }

  texts(): readonly SharedText[] {
    return this.#guard("read", () => this.#log.texts());
  }

  read(): ReadRows {
    return this.#guard("read", () => this.#reading.next());
  }

  /** One transaction. `tidy` belongs after it, when the answer is on its way. */
  commit({ rows, texts }: Appended): CommitOutcome {
    return this.#guard("write to", () => {
      if (!this.#space.isStillFull() && this.#tryAppend({ rows, texts })) return { kept: "all" };
      const deletions = rows.filter(([, type]) => type === deletionType);
      return {
        kept: this.#tryAppend({ rows: deletions, texts }) ? "deletions" : "nothing",
        detail: this.#space.detail,
      };
    });
  }

  /** Moves the log into the database file when enough of it has gathered. */
  tidy(): void {
    this.#guard("write to", () => this.#checkpointWhenDue());
  }

  /** Forgets history up to a revision; `sweep` then frees the space. */
  compact(revision: number): void {
    this.#guard("compact", () => {
      if (revision > this.opened.compacted) this.#tryInSpace(() => this.#log.compact(revision));
    });
  }

  /** One bounded slice of tidying up. Returns whether there is more. */
  sweep(): boolean {
    return this.#guard("compact", () => {
      const { swept, compacted } = this.opened;
      const isSweeping = swept < compacted;
      const done = this.#tryInSpace(() => (isSweeping ? this.#log.sweep(sweepRows) : this.#space.giveBackSlice()));
      if (done === noSpace) return false; // tried again with the next compaction
      this.#noteWritten(sweepRows * sweptRowBytes);
      if (isSweeping || done) this.#checkpointWhenDue();
      else this.#checkpoint("TRUNCATE");
      return isSweeping || done;
    });
  }

  close(): void {
    this.#guard("close", () => {
      this.#checkpoint("TRUNCATE");
      this.#database.close();
    });
  }

  /** For after a failure: sees to it that the end of the thread does not write once more. */
  abandon(): void {
    setAside(this.#options.directory);
  }

  /** Appends all or nothing; false when there was no space. */
  #tryAppend({ rows, texts }: Appended): boolean {
    if (rows.length === 0 && texts.length === 0) return true;
    if (this.#tryInSpace(() => this.#log.append({ rows, texts })) === noSpace) return false;
    this.#noteWritten(rows.reduce((bytes, row) => bytes + row[5].length, pageOverheadBytes));
    return true;
  }

  /** Runs a transaction; noSpace when it found none, after which it has left no trace. */
  #tryInSpace<Result>(transaction: () => Result): Result | typeof noSpace {
    try {
      return transaction();
    } catch (error) {
      if (!sqliteErrors.full(error)) throw error;
      this.#space.noteFull();
      return noSpace;
    }
  }

  #noteWritten(bytes: number): void {
    this.#bytesSinceCheckpoint += bytes;
  }

  /** On a full disk the log is moved early, because its file is written from the start again afterwards. */
  #checkpointWhenDue(): void {
    const limit = this.#space.isFull ? this.#options.reserveBytes / 8 : this.#options.checkpointBytes;
    if (this.#bytesSinceCheckpoint >= limit) this.#checkpoint("PASSIVE");
  }

  #checkpoint(mode: "PASSIVE" | "TRUNCATE"): void {
    this.#bytesSinceCheckpoint = 0;
    this.#tryInSpace(() => {
      this.#log.noteAppended();
      this.#database.exec(`PRAGMA wal_checkpoint(${mode})`);
    });
  }

  #guard<Result>(verb: string, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw this.#failure(verb, error);
    }
  }

  #failure(verb: string, error: unknown): StoreFailure {
    const { directory } = this.#options;
    return failureOf(error, { doing: `${verb} the store in "${directory}"`, path: join(directory, databaseFile) });
  }
}
