import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { type LogSummary, parseSummary, printSummary } from "./log-summary.ts";
import { addChecksums, rowChecksum, subtractChecksums, textChecksum } from "./row-checksum.ts";
import { prefixOf } from "./scope.ts";
import type { SharedText } from "./shared-texts.ts";
import { type Appended, deletionType, type LogBounds } from "./sqlite-protocol.ts";
import { DamagedRecord } from "./store-failure.ts";

/**
 * The log's tables: what is in a transaction, and nothing about when. Runs in the worker thread.
 *
 * Every row carries a checksum and the sum of the checksums of all rows ever appended, the summary the sum of all that were
 * removed. What is left must add up to the difference: damage to a row is noticed when it is read, and so is a row that is gone.
 */
export class SqliteLog {
  readonly #database: DatabaseSyncInstance;
  readonly #insert: StatementSyncInstance;
  readonly #insertText: StatementSyncInstance;
  readonly #selectHeads: StatementSyncInstance;
  readonly #remove: StatementSyncInstance;
  readonly #updateSummary: StatementSyncInstance;
  #summary: LogSummary;

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
    this.#insert = database.prepare("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    this.#insertText = database.prepare("INSERT OR IGNORE INTO texts VALUES (?, ?, ?)");
    this.#selectHeads = database.prepare(
      `SELECT revision, type, previous_revision, key
       FROM records WHERE revision > ? AND revision <= ? ORDER BY revision LIMIT ?`,
    );
    this.#remove = database.prepare("DELETE FROM records WHERE revision = ? RETURNING checksum");
    this.#updateSummary = database.prepare("UPDATE summary SET text = ?");
    this.#summary = this.#readSummary();
  }

  get opened(): LogBounds {
    const { revision, compacted, swept, dropped } = this.#summary;
    return { revision, compacted, swept, dropped };
  }

  /** What the checksums of all rows that are there must add up to. */
  get sum(): number {
    return subtractChecksums(this.#summary.appended, this.#summary.removed);
  }

  /** What values name. Throws when one is not as it was written. */
  texts(): readonly SharedText[] {
    return this.#database
      .prepare("SELECT id, checksum, text FROM texts ORDER BY id")
      .all()
      .map(({ id, checksum, text }) => {
        const shared: SharedText = [Number(id), String(text)];
        if (textChecksum(shared) !== checksum) throw new DamagedRecord(`the shared text ${id} fails its checksum`);
        return shared;
      });
  }

  append({ rows, texts }: Appended): void {
    let { revision, appended } = this.#summary;
    this.#inTransaction(() => {
      for (const shared of texts) this.#insertText.run(shared[0], textChecksum(shared), shared[1]);
      for (const row of rows) {
        const [at, type, createRevision, previousRevision, key, value] = row;
        const checksum = rowChecksum(row);
        appended = addChecksums(appended, checksum);
        this.#insert.run(at, type, createRevision, previousRevision, checksum, appended, key, value);
        revision = at;
      }
    });
    this.#summary = { ...this.#summary, revision, appended };
  }

  compact(revision: number): void {
    this.#write({ ...this.#summary, compacted: revision });
  }

  /** Before a checkpoint: so that the database file alone, too, knows what must be in it. */
  noteAppended(): void {
    this.#write(this.#summary);
  }

  /**
   * Removes what up to `limit` rows have replaced, and those of them that are deletions; returns whether there is more. Each
   * row names the one it replaced, so that this needs neither an index by key nor a look at the rest of the table.
   */
  sweep(limit: number): boolean {
    const { swept, compacted } = this.#summary;
    if (swept >= compacted) return false;
    const heads = this.#selectHeads.all(swept, compacted, limit);
    const dropped = new Map(this.#summary.dropped);
    const gone: number[] = [];
    for (const { revision, type, previous_revision: previous, key } of heads) {
      if (previous !== 0) gone.push(Number(previous));
      if (type === deletionType) gone.push(Number(revision));
      dropped.set(prefixOf(String(key)), Number(revision));
    }
    const reached = heads.length < limit ? compacted : Number(heads.at(-1)?.["revision"]);
    this.#write({ ...this.#summary, dropped, swept: reached }, gone);
    return reached < compacted;
  }

  #readSummary(): LogSummary {
    const summary = parseSummary(this.#database.prepare("SELECT text FROM summary").get()?.["text"]);
    const newest = this.#database.prepare("SELECT revision, total FROM records ORDER BY revision DESC LIMIT 1").get();
    const revision = Number(newest?.["revision"] ?? 0);
    return revision > summary.revision ? { ...summary, revision, appended: Number(newest?.["total"]) } : summary;
  }

  /** Replaces the summary, and in the same transaction removes rows. */
  #write(summary: LogSummary, gone: readonly number[] = []): void {
    let { removed } = summary;
    this.#inTransaction(() => {
      for (const revision of gone)
        removed = addChecksums(removed, Number(this.#remove.get(revision)?.["checksum"] ?? 0));
      this.#updateSummary.run(printSummary({ ...summary, removed }));
    });
    this.#summary = { ...summary, removed };
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
