import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { LogChain } from "./log-chain.ts";
import { addChecksums, rowChecksum } from "./row-checksum.ts";
import { prefixOf } from "./scope.ts";
import type { SqliteLog } from "./sqlite-log.ts";
import { deletionType, type LogRow, type ReadRows } from "./sqlite-protocol.ts";
import { DamagedRecord } from "./store-failure.ts";

/** Small enough that the texts are garbage before the collector looks: what it finds alive it copies. */
const chunkCharacters = 1 << 20;
const rowsAtOnce = 2_000;

/**
 * Reads the log from its start, when the store is opened. All rows are read and verified; those that were replaced before the oldest
 * change that the store will keep are left out, since nobody can ask for them: after a busy time that is most of the log.
 */
export class LogReading {
  readonly #log: Pick<SqliteLog, "sum" | "opened">;
  readonly #database: DatabaseSyncInstance;
  readonly #historyLimit: number;
  readonly #select: StatementSyncInstance;
  #under: Progress | undefined;

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
  next(): ReadRows {
    this.#under ??= this.#begin();
    const progress = this.#under;
    const { leftOut } = progress;
    const rows: LogRow[] = [];
    for (let more = true; more && rows.length === 0; ) more = this.#readInto(rows, progress);
    if (rows.length > 0) return { rows, leftOut: new Map() };
    this.#under = undefined;
    if (progress.sum !== this.#log.sum) throw new DamagedRecord("some records are gone");
    progress.chain.end();
    return { rows, leftOut };
  }

  /** Reads until there is a chunk, or a while; false at the end. */
  #readInto(rows: LogRow[], progress: Progress): boolean {
    let characters = 0;
    let isEnd = true;
    for (const found of this.#select.iterate(progress.after, rowsAtOnce)) {
      isEnd = false;
      // The statement returns arrays of exactly these columns.
      const row = verify(found as unknown as readonly [...LogRow, checksum: number], progress);
      const isLeftOut = progress.isLeftOut(row);
      progress.chain.add(row, { isLeftOut });
      progress.after = row[0];
      if (isLeftOut) progress.leftOut.set(prefixOf(row[4]), row[0]);
      else rows.push(row);
      characters += isLeftOut ? 0 : row[5].length;
      if (characters > chunkCharacters) break;
    }
    return !isEnd;
  }

  #begin(): Progress {
    const { compacted, swept } = this.#log.opened;
    const newest = this.#database.prepare("SELECT revision FROM records ORDER BY revision DESC LIMIT 1 OFFSET ?");
    const forgotten = Math.max(Number(newest.get(this.#historyLimit)?.["revision"] ?? 0), compacted);
    const replacing = this.#database.prepare(
      "SELECT previous_revision FROM records WHERE revision <= ? AND previous_revision <> 0",
    );
    replacing.setReturnArrays(true);
    const replaced = new Set<number>();
    // The statement returns arrays of one number.
    for (const row of replacing.iterate(forgotten)) replaced.add((row as unknown as readonly [number])[0]);
    return {
      isLeftOut: ([revision, type]) => (type === deletionType && revision <= forgotten) || replaced.has(revision),
      chain: new LogChain(swept),
      leftOut: new Map(),
      after: 0,
      sum: 0,
    };
  }
}

interface Progress {
  /** Whether the row was replaced before the oldest change that is kept. */
  readonly isLeftOut: (row: LogRow) => boolean;
  readonly chain: LogChain;
  readonly leftOut: Map<string, number>;
  after: number;
  /** The sum over the rows that were read so far. */
  sum: number;
}

function verify(found: readonly [...LogRow, checksum: number], progress: Progress): LogRow {
  const [revision, type, createRevision, previousRevision, key, value, checksum] = found;
  const row: LogRow = [revision, type, createRevision, previousRevision, key, value];
  if (rowChecksum(row) !== checksum) throw new DamagedRecord(`the record of revision ${revision} fails its checksum`);
  progress.sum = addChecksums(progress.sum, checksum);
  return row;
}
