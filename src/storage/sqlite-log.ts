import { crc32 } from "node:zlib";
import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { prefixOf } from "./scope.ts";
import { deletionType, type LogRow, type OpenedLog } from "./sqlite-protocol.ts";
import { DamagedRecord } from "./store-failure.ts";

/** The log's tables: what is in a transaction, and nothing about when. Runs in the worker thread. */
export class SqliteLog {
  readonly #database: DatabaseSyncInstance;
  readonly #insert: StatementSyncInstance;
  readonly #read: StatementSyncInstance;
  readonly #readHeads: StatementSyncInstance;
  readonly #remove: StatementSyncInstance;
  readonly #noteDropped: StatementSyncInstance;
  readonly #noteSwept: StatementSyncInstance;

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
    this.#insert = database.prepare("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#read = database.prepare(
      "SELECT revision, type, create_revision, previous_revision, key, value, checksum FROM records WHERE revision > ? ORDER BY revision LIMIT ?",
    );
    this.#read.setReturnArrays(true);
    this.#readHeads = database.prepare(
      "SELECT revision, type, previous_revision, key FROM records WHERE revision > ? AND revision <= ? ORDER BY revision LIMIT ?",
    );
    this.#remove = database.prepare("DELETE FROM records WHERE revision = ?");
    this.#noteDropped = database.prepare(
      "INSERT INTO dropped VALUES (?1, ?2) ON CONFLICT DO UPDATE SET revision = max(revision, ?2)",
    );
    this.#noteSwept = database.prepare("UPDATE meta SET swept = ?1, revision = max(revision, ?1)");
  }

  opened(): OpenedLog {
    const meta = this.#database.prepare("SELECT revision, compacted, swept FROM meta").get();
    if (meta === undefined) throw new DamagedRecord("the table meta is empty");
    const newest = this.#database.prepare("SELECT max(revision) AS newest FROM records").get()?.["newest"];
    const dropped: Record<string, unknown>[] = this.#database.prepare("SELECT prefix, revision FROM dropped").all();
    return {
      revision: Math.max(Number(meta["revision"]), Number(newest ?? 0)),
      compacted: Number(meta["compacted"]),
      swept: Number(meta["swept"]),
      dropped: new Map(dropped.map((row) => [String(row["prefix"]), Number(row["revision"])])),
    };
  }

  append(rows: readonly LogRow[]): void {
    this.#inTransaction(() => {
      for (const row of rows) {
        const [revision, type, createRevision, previousRevision, key, value] = row;
        this.#insert.run(revision, type, createRevision, previousRevision, checksumOf(row), key, value);
      }
    });
  }

  /** The next rows in order. Throws when one is not as it was written. */
  read(after: number, limit: number): readonly LogRow[] {
    // The statement returns arrays of exactly these columns.
    const rows = this.#read.all(after, limit) as unknown as readonly [...LogRow, checksum: number][];
    return rows.map((row) => {
      const [revision, type, createRevision, previousRevision, key, value, checksum] = row;
      const read: LogRow = [revision, type, createRevision, previousRevision, key, value];
      if (checksumOf(read) === checksum) return read;
      throw new DamagedRecord(`the record of revision ${revision}, key "${key}", fails its checksum`);
    });
  }

  noteCompacted(revision: number): void {
    this.#inTransaction(() => {
      this.#database.prepare("UPDATE meta SET compacted = max(compacted, ?)").run(revision);
    });
  }

  /**
   * Removes what up to `limit` rows above `swept` have replaced, and those of them that are deletions. Returns up to where it
   * got. Each row names the one it replaced, so that this needs neither an index by key nor a look at the rest of the table.
   */
  sweep({ swept, compacted, limit }: { swept: number; compacted: number; limit: number }): number {
    const heads = this.#readHeads.all(swept, compacted, limit);
    const reached = heads.length < limit ? compacted : Number(heads.at(-1)?.["revision"]);
    const dropped = new Map<string, number>();
    this.#inTransaction(() => {
      for (const { revision, type, previous_revision: previous, key } of heads) {
        if (previous !== 0) this.#remove.run(Number(previous));
        if (type === deletionType) this.#remove.run(Number(revision));
        dropped.set(prefixOf(String(key)), Number(revision));
      }
      for (const [prefix, revision] of dropped) this.#noteDropped.run(prefix, revision);
      this.#noteSwept.run(reached);
    });
    return reached;
  }

  #inTransaction(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK"); // some errors have rolled back already
      throw error;
    }
  }
}

function checksumOf([revision, type, createRevision, previousRevision, key, value]: LogRow): number {
  return crc32(value, crc32(`${revision} ${type} ${createRevision} ${previousRevision} ${key} `));
}
