export type Lane = "user" | "background";

/** Where a key stands in line. */
export interface Place {
  readonly priority: number;
  readonly lane: Lane;
}

interface Row extends Place {
  /** When each key began to wait; in order of arrival. */
  readonly keys: Map<string, number>;
  /** Stands behind all that were taken: a map remembers what was deleted for a while, and a walk from its start steps over it. */
  next: MapIterator<[string, number]>;
}

/** Keys that wait, each once: by priority, then users' before background, then by arrival. */
export class ReadyKeys {
  /** Few, in the order in which they are served; a row stays when it is empty. */
  readonly #rows: Row[] = [];

  get size(): number {
    return this.sizeOf();
  }

  /** How many wait, in one lane if it is named. */
  sizeOf(lane?: Lane): number {
    let size = 0;
    for (const row of this.#rows) if (lane === undefined || row.lane === lane) size += row.keys.size;
    return size;
  }

  has(key: string): boolean {
    return this.#rowOf(key) !== undefined;
  }

  /** Puts a key in line; one that waits already is only ever moved forward. Whether it is new. */
  put(key: string, place: Place, nowMs: number): boolean {
    const row = this.#row(place);
    const present = this.#rowOf(key);
    if (present !== undefined && !comesBefore(row, present)) return false;
    const sinceMs = present?.keys.get(key) ?? nowMs;
    present?.keys.delete(key);
    row.keys.set(key, sinceMs);
    return present === undefined;
  }

  /** The first in line, and since when it waited. */
  take(): { readonly key: string; readonly sinceMs: number } | undefined {
    const row = this.#rows.find(({ keys }) => keys.size > 0);
    if (row === undefined) return undefined;
    const [key, sinceMs] = firstOf(row);
    row.keys.delete(key);
    return { key, sinceMs };
  }

  clear(): void {
    this.#rows.splice(0);
  }

  /** Rows are few and most are empty: a map from key to row would cost more than it saves where thousands come at once. */
  #rowOf(key: string): Row | undefined {
    for (const row of this.#rows) if (row.keys.has(key)) return row;
    return undefined;
  }

  #row(place: Place): Row {
    let index = 0;
    for (let row = this.#rows[index]; row !== undefined && !comesBefore(place, row); row = this.#rows[++index])
      if (!comesBefore(row, place)) return row;
    const keys = new Map<string, number>();
    const row = { ...place, keys, next: keys.entries() };
    this.#rows.splice(index, 0, row);
    return row;
  }
}

/** The first of a row that is not empty. A walk that reached the end once stays there, whatever comes later. */
function firstOf(row: Row): [string, number] {
  const { value } = row.next.next();
  if (value !== undefined) return value;
  row.next = row.keys.entries();
  return row.next.next().value!;
}

function comesBefore(a: Place, b: Place): boolean {
  return a.priority === b.priority ? a.lane === "user" && b.lane === "background" : a.priority > b.priority;
}
