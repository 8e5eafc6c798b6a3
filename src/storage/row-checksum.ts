import { crc32 } from "node:zlib";
import type { SharedText } from "./shared-texts.ts";
import type { LogRow } from "./sqlite-protocol.ts";

/** Sums of checksums stay exact in a JavaScript number. */
const modulus = 2 ** 48;

/** Tells a row from every other that a disk might hand out in its place. */
export function rowChecksum([revision, type, createRevision, previousRevision, key, value]: LogRow): number {
  return crc32(value, crc32(`${revision} ${type} ${createRevision} ${previousRevision} ${key} `));
}

export function textChecksum([id, text]: SharedText): number {
  return crc32(text, crc32(`${id} `));
}

export function addChecksums(sum: number, checksum: number): number {
  return (sum + checksum) % modulus;
}

export function subtractChecksums(sum: number, other: number): number {
  return (sum - other + modulus) % modulus;
}
