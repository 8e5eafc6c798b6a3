import { randomFillSync } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

const chunkBytes = 1 << 20;

/**
 * A file that only takes up room. When the disk is full it is given up, so that deletions can still be logged; when it can be
 * written again in full, space has returned and everything goes on.
 */
export class SpaceReserve {
  readonly #path: string;
  readonly #bytes: number;

  constructor(directory: string, bytes: number) {
    this.#path = join(directory, "reserve");
    this.#bytes = bytes;
  }

  /** Whether the room is taken, after trying to. */
  take(): boolean {
    if (this.#isTaken()) return true;
    try {
      this.#fill();
      return true;
    } catch {
      this.giveUp(); // whatever stood in the way, a part of the reserve is none
      return false;
    }
  }

  giveUp(): void {
    rmSync(this.#path, { force: true });
  }

  #isTaken(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.size === this.#bytes;
  }

  /** Random bytes: a file system that compresses would take no room for zeros. */
  #fill(): void {
    const chunk = randomFillSync(Buffer.allocUnsafe(Math.min(chunkBytes, this.#bytes)));
    const file = openSync(this.#path, "w", 0o600);
    try {
      for (let left = this.#bytes; left > 0; ) left -= writeSync(file, chunk, 0, Math.min(left, chunk.length));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}
