import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { addChecksums, rowChecksum } from "./row-checksum.ts";
import type { SqliteLog } from "./sqlite-log.ts";
import { deletionType, type LogRow, type ReadRow } from "./sqlite-protocol.ts";
import { DamagedRecord } from "./store-failure.ts";

const limits = { rows: 2_000, characters: 4 << 20 };

/**
 * Reads the log from its start, when the store is opened. All rows are read and verified; the values of those that were replaced before
 * the oldest change that the store will keep are left out, since nobody can ask for them: after a busy time that is most of the log.
 */
export class LogReading {
  readonly #log: Pick<SqliteLog, "sum" | "opened">;
  readonly #database: DatabaseSyncInstance;
  readonly #historyLimit: number;
  readonly #select: StatementSyncInstance;
  /** Changes up to here are not kept. */
  #forgotten = 0;
  /** The revisions of rows that were replaced up to there. */
  #replaced: ReadonlySet<number> = new Set();
  /** The sum over the rows that were read so far. */
  #sum = 0;

  constructor(
    database: DatabaseSyncInstance,
    { log, historyLimit }: { readonly log: Pick<SqliteLog, "sum" | "opened">; readonly historyLimit: number },
  ) {
    this.#database = database;
    this.#log = log;
    this.#historyLimit = historyLimit;
    this.#select = database.prepare(
      `SELECT revision, type, create_revision, previous_revision, key, value, checksum
       FROM records WHERE revision > ? ORDER BY revision LIMIT ?`,
    );
    this.#select.setReturnArrays(true);
  }

  /** The next rows in order; none at the end. Throws when one is not as it was written, and at the end when one is gone. */
  next(after: number): readonly ReadRow[] {
    if (after === 0) this.#begin();
    const rows: ReadRow[] = [];
    let characters = 0;
    for (const found of this.#select.iterate(after, limits.rows)) {
      // The statement returns arrays of exactly these columns.
      const row = this.#needed(this.#verify(found as unknown as readonly [...LogRow, checksum: number]));
      rows.push(row);
      characters += row[5]?.length ?? 0;
      if (characters > limits.characters) break;
    }
    if (rows.length > 0) return rows;
    this.#replaced = new Set();
    if (this.#sum !== this.#log.sum) throw new DamagedRecord("some records are gone");
    return rows;
  }

  #begin(): void {
    this.#sum = 0;
    const newest = this.#database.prepare("SELECT revision FROM records ORDER BY revision DESC LIMIT 1 OFFSET ?");
    this.#forgotten = Math.max(Number(newest.get(this.#historyLimit)?.["revision"] ?? 0), this.#log.opened.compacted);
    const replacing = this.#database.prepare(
      "SELECT previous_revision FROM records WHERE revision <= ? AND previous_revision <> 0",
    );
    replacing.setReturnArrays(true);
    const replaced = new Set<number>();
    // The statement returns arrays of one number.
    for (const row of replacing.iterate(this.#forgotten)) replaced.add((row as unknown as readonly [number])[0]);
    this.#replaced = replaced;
  }

  #needed(row: LogRow): ReadRow {
    const [revision, type, createRevision, previousRevision, key] = row;
    const isGone = type === deletionType && revision <= this.#forgotten;
    if (!isGone && !this.#replaced.has(revision)) return row;
    return [revision, type, createRevision, previousRevision, key, undefined];
  }

  #verify(found: readonly [...LogRow, checksum: number]): LogRow {
    const [revision, type, createRevision, previousRevision, key, value, checksum] = found;
    const row: LogRow = [revision, type, createRevision, previousRevision, key, value];
    if (rowChecksum(row) !== checksum) throw new DamagedRecord(`the record of revision ${revision} fails its checksum`);
    this.#sum = addChecksums(this.#sum, checksum);
    return row;
  }
}
