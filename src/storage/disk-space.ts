import { statfsSync } from "node:fs";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { SpaceReserve } from "./space-reserve.ts";
import type { SqliteWorkerOptions } from "./sqlite-protocol.ts";

/**
 * Knows whether there is room to grow.
 *
 *   roomy ── a write found the disk or the quota full ──> full: the reserve is given to deletions
 *     ^───────────── the reserve can be taken again ────────┘
 */
export class DiskSpace {
  readonly #database: DatabaseSyncInstance;
  readonly #reserve: SpaceReserve;
  readonly #options: SqliteWorkerOptions;
  readonly #pageBytes: number;
  #full = false;

  constructor(database: DatabaseSyncInstance, options: SqliteWorkerOptions) {
    this.#database = database;
    this.#options = options;
    this.#reserve = new SpaceReserve(options.directory, options.reserveBytes);
    this.#pageBytes = this.#pragma("page_size");
    this.#full = !this.#reserve.take();
    this.#limitPages();
  }

  get isFull(): boolean {
    return this.#full;
  }

  get detail(): string {
    const { directory, maxBytes } = this.#options;
    const holder = maxBytes === undefined ? "its disk" : `its disk or its quota of ${maxBytes} bytes`;
    return `the store in "${directory}" is full: free space on ${holder}; reads and deletions still work`;
  }

  noteFull(): void {
    this.#full = true;
    this.#reserve.giveUp();
    this.#limitPages();
  }

  /** Whether the store is still full, after looking again. */
  isStillFull(): boolean {
    if (!this.#full) return false;
    if (!this.#hasPagesLeft() || !this.#hasDiskLeft() || !this.#reserve.take()) return true;
    this.#full = false;
    this.#limitPages();
    return false;
  }

  /** Gives free pages at the end of the file back to the disk, a slice at a time. Returns whether more is to be given back. */
  giveBackSlice(): boolean {
    const free = this.#pragma("freelist_count");
    const worthwhile = this.#full ? 1 : Math.max(512, this.#pragma("page_count") / 4);
    if (free < worthwhile) return false;
    this.#database.exec("PRAGMA incremental_vacuum(256)");
    return this.#pragma("freelist_count") < free; // no progress, no point in another round
  }

  /** Twice the reserve: what only the reserve itself has freed is not room to go on with. */
  #hasDiskLeft(): boolean {
    const { bavail, bsize } = statfsSync(this.#options.directory);
    return bavail * bsize >= 2 * this.#options.reserveBytes;
  }

  #hasPagesLeft(): boolean {
    const { maxBytes, reserveBytes } = this.#options;
    if (maxBytes === undefined) return true;
    const used = this.#pragma("page_count") - this.#pragma("freelist_count");
    return used * this.#pageBytes + reserveBytes <= maxBytes;
  }

  /** While full, deletions may go beyond the quota by the reserve. */
  #limitPages(): void {
    const { maxBytes, reserveBytes } = this.#options;
    if (maxBytes === undefined) return;
    const bytes = maxBytes + (this.#full ? reserveBytes : 0);
    this.#database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(bytes / this.#pageBytes))}`);
  }

  #pragma(name: "page_size" | "page_count" | "freelist_count"): number {
    return Number(this.#database.prepare(`PRAGMA ${name}`).get()?.[name]);
  }
}
