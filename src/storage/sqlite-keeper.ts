import { join } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { CommitOutcome } from "./committer.ts";
import { DiskSpace } from "./disk-space.ts";
import { databaseFile, openDatabase, setAside } from "./sqlite-database.ts";
import { failureOf, sqliteErrors } from "./sqlite-failure.ts";
import { SqliteLog } from "./sqlite-log.ts";
import { deletionType, type LogRow, type OpenedLog, type SqliteWorkerOptions } from "./sqlite-protocol.ts";

const readRows = 2_000;
const sweepRows = 500;
/** What SQLite adds around a row: its page is written whole. */
const pageOverheadBytes = 8_192;

/**
 * Keeps the log in a database: one transaction per group of writes, checkpoints and compaction in between. Every method throws
 * a StoreFailure when the disk failed; after that, none may be called again (an fsync that failed must never be repeated:
 * it could succeed without having written anything).
 */
export class SqliteKeeper {
  readonly opened: OpenedLog;
  readonly #options: SqliteWorkerOptions;
  readonly #database: DatabaseSyncInstance;
  readonly #log: SqliteLog;
  readonly #space: DiskSpace;
  #compacted: number;
  #swept: number;
  #bytesSinceCheckpoint = 0;

  constructor(options: SqliteWorkerOptions) {
    this.#options = options;
    this.#database = openDatabase(options);
    this.#log = this.#guard("read", () => new SqliteLog(this.#database));
    this.#space = this.#guard("read", () => new DiskSpace(this.#database, options));
    this.opened = this.#guard("read", () => this.#log.opened());
    this.#compacted = this.opened.compacted;
    this.#swept = this.opened.swept;
  }

  read(after: number): readonly LogRow[] {
    return this.#guard("read", () => this.#log.read(after, readRows));
  }

  commit(rows: readonly LogRow[]): CommitOutcome {
    return this.#guard("write to", () => {
      if (!this.#space.isStillFull() && this.#tryAppend(rows)) {
        this.#checkpointWhenDue();
        return { kept: "all" };
      }
      const deletions = rows.filter(([, type]) => type === deletionType);
      const kept = this.#tryAppend(deletions) ? "deletions" : "nothing";
      this.#checkpointWhenDue();
      return { kept, detail: this.#space.detail };
    });
  }

  /** Forgets history up to a revision; `sweep` then frees the space. */
  compact(revision: number): void {
    this.#guard("compact", () => {
      if (revision <= this.#compacted || !this.#tryInSpace(() => this.#log.noteCompacted(revision))) return;
      this.#compacted = revision;
    });
  }

  /** One bounded slice of tidying up. Returns whether there is more. */
  sweep(): boolean {
    return this.#guard("compact", () => {
      if (this.#swept < this.#compacted) {
        const swept = this.#tryInSpace(() => {
          this.#swept = this.#log.sweep({ swept: this.#swept, compacted: this.#compacted, limit: sweepRows });
        });
        this.#noteWritten(sweepRows * 64);
        return swept;
      }
      let more = false;
      if (
        !this.#tryInSpace(() => {
          more = this.#space.giveBackSlice();
        })
      )
        return false;
      if (!more) this.#checkpoint("TRUNCATE");
      return more;
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
  #tryAppend(rows: readonly LogRow[]): boolean {
    if (rows.length === 0) return true;
    const done = this.#tryInSpace(() => this.#log.append(rows));
    if (done) this.#noteWritten(rows.reduce((bytes, row) => bytes + row[5].length, pageOverheadBytes));
    return done;
  }

  /** Runs a transaction; false when it found no space, after which it has left no trace. */
  #tryInSpace(transaction: () => void): boolean {
    try {
      transaction();
      return true;
    } catch (error) {
      if (!sqliteErrors.full(error)) throw error;
      this.#space.noteFull();
      return false;
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
    this.#tryInSpace(() => this.#database.exec(`PRAGMA wal_checkpoint(${mode})`));
  }

  #guard<Result>(verb: string, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      const { directory } = this.#options;
      throw failureOf(error, { doing: `${verb} the store in "${directory}"`, path: join(directory, databaseFile) });
    }
  }
}
