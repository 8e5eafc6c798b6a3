export type Lane = "user" | "background";

/** Where a key stands in line. */
export interface Place {
  readonly priority: number;
  readonly lane: Lane;
}

interface Row extends Place {
  /** When each key began to wait; in order of arrival. */
  readonly keys: Map<string, number>;
}

/** Keys that wait, each once: by priority, then users' before background, then by arrival. */
export class ReadyKeys {
  /** Few, in the order in which they are served; a row stays when it is empty. */
  readonly #rows: Row[] = [];
  readonly #rowOf = new Map<string, Row>();

  get size(): number {
    return this.#rowOf.size;
  }

  /** Puts a key in line; one that waits already is only ever moved forward. Whether it is new. */
  put(key: string, place: Place, nowMs: number): boolean {
    const present = this.#rowOf.get(key);
    const row = this.#row(place);
    if (present !== undefined && !comesBefore(row, present)) return false;
    const sinceMs = present?.keys.get(key) ?? nowMs;
    present?.keys.delete(key);
    row.keys.set(key, sinceMs);
    this.#rowOf.set(key, row);
    return present === undefined;
  }

  /** The first in line, and since when it waited. */
  take(): { readonly key: string; readonly sinceMs: number } | undefined {
    for (const row of this.#rows) {
      for (const [key, sinceMs] of row.keys) {
        row.keys.delete(key);
        this.#rowOf.delete(key);
        return { key, sinceMs };
      }
    }
    return undefined;
  }

  clear(): void {
    this.#rows.splice(0);
    this.#rowOf.clear();
  }

  #row(place: Place): Row {
    const index = this.#rows.findIndex((row) => !comesBefore(row, place));
    const found = this.#rows[index];
    if (found !== undefined && !comesBefore(place, found)) return found;
    const row = { ...place, keys: new Map<string, number>() };
    this.#rows.splice(index === -1 ? this.#rows.length : index, 0, row);
    return row;
  }
}

function comesBefore(a: Place, b: Place): boolean {
  return a.priority === b.priority ? a.lane === "user" && b.lane === "background" : a.priority > b.priority;
}
