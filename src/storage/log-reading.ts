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
 * Reads the log from its start, when the store is opened. Rows that were replaced before the oldest change that the store will keep are
 * left out, since nobody can ask for them: after a busy time that is most of the log. Of those the values are not even read; that they are
 * there and follow from one another is verified of all rows, and that they are as they were written of all that are handed out.
 */
export class LogReading {
  readonly #log: Pick<SqliteLog, "sum" | "opened">;
  readonly #database: DatabaseSyncInstance;
  readonly #historyLimit: number;
  #under: Progress | undefined;

  constructor(
    database: DatabaseSyncInstance,
    { log, historyLimit }: { readonly log: Pick<SqliteLog, "sum" | "opened">; readonly historyLimit: number },
  ) {
    this.#database = database;
    this.#log = log;
    this.#historyLimit = historyLimit;
  }

  /** The next rows in order; none at the end. Throws when one is not as it was written, and at the end when one is gone. */
  next(): ReadRows {
    this.#under ??= this.#begin();
    const progress = this.#under;
    const { leftOut } = progress;
    const rows: LogRow[] = [];
    for (let more = true; more && rows.length === 0; ) more = readInto(rows, progress);
    if (rows.length > 0) return { rows, leftOut: new Map() };
    this.#under = undefined;
    this.#database.exec("DROP TABLE temp.replaced");
    if (progress.sum !== this.#log.sum) throw new DamagedRecord("some records are gone");
    progress.chain.end();
    return { rows, leftOut };
  }

  #begin(): Progress {
    const { compacted, swept } = this.#log.opened;
    const newest = this.#database.prepare("SELECT revision FROM records ORDER BY revision DESC LIMIT 1 OFFSET ?");
    const forgotten = Math.max(Number(newest.get(this.#historyLimit)?.["revision"] ?? 0), compacted);
    this.#database.exec(
      `CREATE TEMP TABLE replaced (revision INTEGER PRIMARY KEY);
       INSERT OR IGNORE INTO temp.replaced
       SELECT previous_revision FROM records WHERE revision <= ${forgotten} AND previous_revision <> 0`,
    );
    const select = this.#database.prepare(
      `SELECT revision, type, create_revision, previous_revision, key, checksum,
         CASE WHEN (type = ${deletionType} AND revision <= ${forgotten}) OR revision IN (SELECT revision FROM temp.replaced)
         THEN NULL ELSE value END
       FROM records WHERE revision > ? ORDER BY revision LIMIT ?`,
    );
    select.setReturnArrays(true);
    return { select, chain: new LogChain(swept), leftOut: new Map(), after: 0, sum: 0 };
  }
}

interface Progress {
  /** Rows after a revision, up to a number. */
  readonly select: StatementSyncInstance;
  readonly chain: LogChain;
  readonly leftOut: Map<string, number>;
  after: number;
  /** The sum over the rows that were read so far. */
  sum: number;
}

type FoundRow = readonly [
  revision: number,
  type: number,
  createRevision: number,
  previousRevision: number,
  key: string,
  checksum: number,
  value: string | null,
];

/** Reads until there is a chunk, or a while; false at the end. */
function readInto(rows: LogRow[], progress: Progress): boolean {
  let characters = 0;
  let isEnd = true;
  for (const found of progress.select.iterate(progress.after, rowsAtOnce)) {
    isEnd = false;
    // The statement returns arrays of exactly these columns.
    characters += takeRow(found as unknown as FoundRow, rows, progress);
    if (characters > chunkCharacters) break;
  }
  return !isEnd;
}

/** Verifies a row and hands it out, unless it is left out. How many characters were added. */
function takeRow(found: FoundRow, rows: LogRow[], progress: Progress): number {
  const [revision, type, createRevision, previousRevision, key, checksum, value] = found;
  const row: LogRow = [revision, type, createRevision, previousRevision, key, value ?? ""];
  const isLeftOut = value === null;
  if (!isLeftOut && rowChecksum(row) !== checksum)
    throw new DamagedRecord(`the record of revision ${revision} fails its checksum`);
  progress.chain.add(row, { isLeftOut });
  progress.sum = addChecksums(progress.sum, checksum);
  progress.after = revision;
  if (isLeftOut) progress.leftOut.set(prefixOf(key), revision);
  else rows.push(row);
  return row[5].length;
}
