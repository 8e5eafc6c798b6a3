import type { Change } from "./history.ts";
import type { LogStore } from "./log-store.ts";
import { type LogRow, type OpenedLog, rowTypes } from "./sqlite-protocol.ts";
import type { Entry } from "./store.ts";
import { DamagedRecord } from "./store-failure.ts";

/** Where the rows of a log come from, a chunk at a time. */
export interface LogReader {
  opened(): Promise<OpenedLog>;
  /** The next rows above a revision; none at the end. */
  read(after: number): Promise<readonly LogRow[]>;
}

/** Fills an empty store from a log. Throws a DamagedRecord when the rows do not fit together. */
export async function restoreLog<Value>(
  store: LogStore<Value>,
  { reader, decode }: { readonly reader: LogReader; readonly decode: (text: string) => Value },
): Promise<void> {
  const log = await reader.opened();
  let next = reader.read(0);
  for (let rows = await next; rows.length > 0; rows = await next) {
    next = reader.read(rows.at(-1)![0]); // read on while this chunk is decoded
    next.catch(() => undefined); // reported by the await above, unless this chunk fails first
    for (const row of rows) restoreRow(row);
  }
  for (const [prefix, revision] of log.dropped) store.restoreDropped(prefix, revision);
  store.restoreRevision(log.revision);

  function restoreRow(row: LogRow): void {
    const [revision] = row;
    const before = store.get(row[4]);
    if (!fits(row, { before, swept: log.swept, last: store.revision })) {
      throw new DamagedRecord(
        `the record of revision ${revision}, key "${row[4]}", does not follow from those before it`,
      );
    }
    const isHistory = revision > log.compacted;
    store.restore(changeOfRow(row, { before, isHistory, value: decodeRow(row) }), { isHistory });
  }

  function decodeRow([revision, , , , key, text]: LogRow): Value {
    try {
      return decode(text);
    } catch (error) {
      throw new DamagedRecord(`the record of revision ${revision}, key "${key}", cannot be decoded`, { cause: error });
    }
  }
}

interface RowFacts<Value> {
  readonly before: Entry<Value> | undefined;
  readonly swept: number;
  readonly last: number;
}

/** A row replaces exactly the one it names; up to where the log was swept, that one is gone. */
function fits<Value>([revision, type, , previous]: LogRow, { before, swept, last }: RowFacts<Value>): boolean {
  if (revision <= last || rowTypes[type] === undefined) return false;
  if (revision <= swept) return before === undefined && rowTypes[type] !== "deleted";
  return (before?.revision ?? 0) === previous && (rowTypes[type] === "created") === (before === undefined);
}

function changeOfRow<Value>(
  [revision, type, createRevision, , key]: LogRow,
  { before, isHistory, value }: { before: Entry<Value> | undefined; isHistory: boolean; value: Value },
): Change<Value> {
  const entry: Entry<Value> = { key, value, revision, createRevision };
  // A row whose predecessor was swept away is all there is left of its key: a creation, as far as the state is concerned.
  if (before === undefined) return { type: "created", key, revision, value, entry };
  const named = rowTypes[type] ?? "updated";
  return isHistory
    ? { type: named, key, revision, value, previous: before.value, entry, before }
    : { type: named, key, revision, value, entry };
}
