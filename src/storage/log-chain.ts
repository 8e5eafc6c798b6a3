import { type LogRow, rowTypes } from "./sqlite-protocol.ts";
import { DamagedRecord } from "./store-failure.ts";

/** Sees to it that the rows of a log, read in order, follow from one another: each replaces exactly the one that it names. */
export class LogChain {
  /** Rows up to here no longer have the rows they replaced. */
  readonly #swept: number;
  /** By key, the revision that stands under it so far; negative where the row was left out because another one follows. */
  readonly #standing = new Map<string, number>();
  #last = 0;

  constructor(swept: number) {
    this.#swept = swept;
  }

  /** Throws a DamagedRecord for a row that does not follow from those before it. */
  add(row: LogRow, { isLeftOut }: { readonly isLeftOut: boolean }): void {
    const [revision, type, , , key] = row;
    if (!this.#fits(row)) {
      throw new DamagedRecord(`the record of revision ${revision}, key "${key}", does not follow from those before it`);
    }
    this.#last = revision;
    if (rowTypes[type] === "deleted") this.#standing.delete(key);
    else this.#standing.set(key, isLeftOut ? -revision : revision);
  }

  /** Throws a DamagedRecord when a row was left out and nothing has followed. */
  end(): void {
    for (const [key, revision] of this.#standing)
      if (revision < 0) throw new DamagedRecord(`what replaced key "${key}" is gone`);
  }

  /** Up to where the log was swept, what a row replaced is gone. */
  #fits([revision, type, , previous, key]: LogRow): boolean {
    const replaced = Math.abs(this.#standing.get(key) ?? 0);
    if (revision <= this.#last || rowTypes[type] === undefined) return false;
    if (revision <= this.#swept) return replaced === 0 && rowTypes[type] !== "deleted";
    return replaced === previous && (rowTypes[type] === "created") === (replaced === 0);
  }
}
