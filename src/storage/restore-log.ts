import type { Change } from "./history.ts";
import type { LogStore } from "./log-store.ts";
import { prefixOf } from "./scope.ts";
import { type LogRow, type OpenedLog, type ReadRow, rowTypes } from "./sqlite-protocol.ts";
import type { Entry } from "./store.ts";
import { DamagedRecord } from "./store-failure.ts";

/** Where the rows of a log come from, a chunk at a time. */
export interface LogReader {
  opened(): Promise<OpenedLog>;
  /** The next rows above a revision; none at the end. */
  read(after: number): Promise<readonly ReadRow[]>;
}

/** Fills an empty store from a log. Throws a DamagedRecord when the rows do not fit together. */
export async function restoreLog<Value>(
  store: LogStore<Value>,
  { reader, decode }: { readonly reader: LogReader; readonly decode: (text: string) => Value },
): Promise<void> {
  const log = await reader.opened();
  /** The newest revision of each key that came without its value: another one follows. */
  const forgotten = new Map<string, number>();
  let next = reader.read(0);
  for (let rows = await next; rows.length > 0; rows = await next) {
    next = reader.read(rows.at(-1)![0]); // read on while this chunk is decoded
    next.catch(() => undefined); // reported by the await above, unless this chunk fails first
    for (const row of rows) restoreRow(row);
  }
  for (const [key] of forgotten) throw new DamagedRecord(`what replaced key "${key}" is gone`);
  for (const [prefix, revision] of log.dropped) store.restoreDropped(prefix, revision);
  store.restoreRevision(log.revision);

  function restoreRow(row: ReadRow): void {
    const [revision, type, , , key] = row;
    const before = store.get(key);
    const replaced = forgotten.get(key) ?? before?.revision;
    if (!fits(row, { replaced, swept: log.swept, last: store.revision })) {
      throw new DamagedRecord(`the record of revision ${revision}, key "${key}", does not follow from those before it`);
    }
    forgotten.delete(key);
    if (row[5] !== undefined) {
      const isHistory = revision > log.compacted;
      store.restore(changeOfRow(row, { before, isHistory, value: decodeRow(row) }), { isHistory });
      return;
    }
    if (rowTypes[type] !== "deleted") forgotten.set(key, revision);
    store.restoreDropped(prefixOf(key), revision);
    store.restoreRevision(revision);
  }

  function decodeRow([revision, , , , key, text]: LogRow): Value {
    try {
      return decode(text);
    } catch (error) {
      throw new DamagedRecord(`the record of revision ${revision}, key "${key}", cannot be decoded`, { cause: error });
    }
  }
}

interface RowFacts {
  /** The revision that stands under the row's key so far. */
  readonly replaced: number | undefined;
  readonly swept: number;
  readonly last: number;
}

/** A row replaces exactly the one it names; up to where the log was swept, that one is gone. */
function fits([revision, type, , previous]: ReadRow, { replaced, swept, last }: RowFacts): boolean {
  if (revision <= last || rowTypes[type] === undefined) return false;
  if (revision <= swept) return replaced === undefined && rowTypes[type] !== "deleted";
  return (replaced ?? 0) === previous && (rowTypes[type] === "created") === (replaced === undefined);
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
