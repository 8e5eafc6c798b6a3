import { closeSync, openSync, readSync } from "node:fs";

/** Where a write-ahead log stops being what was written, although it goes on behind. */
export interface LogDamage {
  /** The log is good up to here, in bytes. */
  readonly offset: number;
}

const headerBytes = 32;
const frameHeaderBytes = 24;
const usualPageBytes = 8_192;
/** The magic number of a log whose checksums are big-endian. */
const bigEndian = 0x377f0683;

/**
 * Looks through SQLite's write-ahead log for damage in its middle. SQLite takes the log to end at the first frame that fails its
 * checksum, which is right for one that a crash has torn: nothing of that transaction was acknowledged. But each transaction is on disk
 * before the next one begins, so a good frame of a later transaction proves that the bad one was whole once; to go on would silently
 * forget what was acknowledged. Damage to the last transaction looks like a torn end and cannot be told from it.
 *
 * The format is SQLite's (fileformat2.html, section 4). Undefined when there is no such damage, or no log.
 */
export function findLogDamage(path: string): LogDamage | undefined {
  const file = openIfThere(path);
  if (file === undefined) return undefined;
  try {
    return scan(file);
  } finally {
    closeSync(file);
  }
}

function scan(file: number): LogDamage | undefined {
  const head = Buffer.alloc(headerBytes);
  if (readSync(file, head, 0, headerBytes, 0) < headerBytes) return undefined;
  const sum = checksumOf(head.readUInt32BE(0) === bigEndian);
  const stored: Sums = [head.readUInt32BE(24), head.readUInt32BE(28)];
  const [first, second] = sum(head.subarray(0, 24), [0, 0]);
  const isGood = first === stored[0] && second === stored[1];
  const frame = Buffer.alloc(frameHeaderBytes + (isGood ? head.readUInt32BE(8) : usualPageBytes));
  // a header is written in one piece: a bad one is damaged, not torn, and the frames know better
  if (!isGood) readSync(file, head, 16, 8, headerBytes + 8);
  const judge = new FrameJudge(head.subarray(16, 24), { seed: stored, sum, firstBad: isGood ? undefined : 0 });
  for (
    let offset = headerBytes;
    readSync(file, frame, 0, frame.length, offset) === frame.length;
    offset += frame.length
  ) {
    if (judge.provesDamage(frame, offset)) return { offset: judge.firstBad! };
  }
  return undefined;
}

type Sums = readonly [number, number];
type Checksum = (bytes: Buffer, seed: Sums) => Sums;

interface FrameFacts {
  /** The checksum of the header. */
  readonly seed: Sums;
  readonly sum: Checksum;
  /** 0 when the header itself is bad: SQLite would take the log to be empty. */
  readonly firstBad: number | undefined;
}

/** Meets the frames in order. */
class FrameJudge {
  /** Where the first bad frame begins. */
  firstBad: number | undefined;
  readonly #salts: Buffer;
  readonly #sum: Checksum;
  /** What the next frame's checksum starts from: the one that stands in the frame before, right or wrong. */
  #seed: Sums;
  /** Whether a transaction ended at or after the first bad frame. */
  #hasEnded = false;

  constructor(salts: Buffer, { seed, sum, firstBad }: FrameFacts) {
    this.#salts = salts;
    this.#seed = seed;
    this.#sum = sum;
    this.firstBad = firstBad;
  }

  provesDamage(frame: Buffer, offset: number): boolean {
    const isOurs = frame.subarray(8, 16).equals(this.#salts);
    const stored: Sums = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
    const [first, second] = isOurs
      ? this.#sum(frame.subarray(frameHeaderBytes), this.#sum(frame.subarray(0, 8), this.#seed))
      : [-1, -1];
    const isGood = first === stored[0] && second === stored[1];
    this.#seed = stored;
    if (this.firstBad === undefined && isGood) return false;
    this.firstBad ??= offset;
    if (isGood && this.#hasEnded) return true;
    if (isOurs && frame.readUInt32BE(4) !== 0) this.#hasEnded = true;
    return false;
  }
}

function checksumOf(isBigEndian: boolean): Checksum {
  return (bytes, [first, second]) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let a = first | 0;
    let b = second | 0;
    for (let at = 0; at < bytes.length; at += 8) {
      a = (a + view.getInt32(at, !isBigEndian) + b) | 0;
      b = (b + view.getInt32(at + 4, !isBigEndian) + a) | 0;
    }
    return [a >>> 0, b >>> 0];
  };
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined; // whether it should be there is SQLite's to say
  }
}
