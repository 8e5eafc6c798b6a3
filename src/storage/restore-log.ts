import type { Change } from "./history.ts";
import type { LogStore } from "./log-store.ts";
import { type LogRow, type OpenedLog, type ReadRows, rowTypes } from "./sqlite-protocol.ts";
import type { Entry } from "./store.ts";
import { DamagedRecord } from "./store-failure.ts";
import type { Codec } from "./stored-codec.ts";

/** Where the rows of a log come from, a chunk at a time. */
export interface LogReader {
  opened(): Promise<OpenedLog>;
  /** The next rows, known to follow from those before them; none at the end. */
  read(): Promise<ReadRows>;
}

/** Fills an empty store from a log. Throws a DamagedRecord when a row cannot be decoded. */
export async function restoreLog<Value>(
  store: LogStore<Value>,
  { reader, codec }: { readonly reader: LogReader; readonly codec: Codec<Value> },
): Promise<void> {
  const log = await reader.opened();
  for (const text of log.texts) codec.shared?.restore(text);
  let next = reader.read();
  let read = await next;
  for (; read.rows.length > 0; read = await next) {
    next = reader.read(); // read on while this chunk is decoded
    next.catch(() => undefined); // reported by the await above, unless this chunk fails first
    for (const row of read.rows) restoreRow(row);
  }
  for (const [prefix, revision] of [...log.dropped, ...read.leftOut]) store.restoreDropped(prefix, revision);
  store.restoreRevision(log.revision);

  function restoreRow(row: LogRow): void {
    const isHistory = row[0] > log.compacted;
    store.restore(changeOfRow(row, { before: store.get(row[4]), isHistory, value: decodeRow(row) }), { isHistory });
  }

  function decodeRow([revision, , , , key, text]: LogRow): Value {
    try {
      return codec.decode(text);
    } catch (error) {
      throw new DamagedRecord(`the record of revision ${revision}, key "${key}", cannot be decoded`, { cause: error });
    }
  }
}

function changeOfRow<Value>(
  [revision, type, createRevision, , key]: LogRow,
  { before, isHistory, value }: { before: Entry<Value> | undefined; isHistory: boolean; value: Value },
): Change<Value> {
  const entry: Entry<Value> = { key, value, revision, createRevision };
  // A row whose predecessor was swept away or left out is all there is left of its key: a creation, as far as the state is concerned.
  if (before === undefined) return { type: "created", key, revision, value, entry };
  const named = rowTypes[type] ?? "updated";
  return isHistory
    ? { type: named, key, revision, value, previous: before.value, entry, before }
    : { type: named, key, revision, value, entry };
}
