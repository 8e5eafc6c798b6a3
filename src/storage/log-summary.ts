import { crc32 } from "node:zlib";
import type { LogBounds } from "./sqlite-protocol.ts";
import { DamagedRecord } from "./store-failure.ts";

/** What is known about the log beyond its rows. */
export interface LogSummary extends LogBounds {
  /** The sum of the checksums of all rows ever appended, up to `revision`. */
  readonly appended: number;
  /** The same of all rows that were removed. */
  readonly removed: number;
}

export const emptySummary: LogSummary = {
  revision: 0,
  compacted: 0,
  swept: 0,
  appended: 0,
  removed: 0,
  dropped: new Map(),
};

/** One line of text behind its own checksum. */
export function printSummary({ dropped, ...numbers }: LogSummary): string {
  const json = JSON.stringify({ ...numbers, dropped: [...dropped] });
  return `${crc32(json)} ${json}`;
}

/** Throws a DamagedRecord for what printSummary did not print. */
export function parseSummary(text: unknown): LogSummary {
  const [checksum = "", json = ""] = typeof text === "string" ? splitAtSpace(text) : [];
  if (checksum !== String(crc32(json))) throw new DamagedRecord("the summary fails its checksum");
  // The checksum vouches for the shape: printSummary wrote it.
  const { dropped, ...numbers } = JSON.parse(json);
  return { ...numbers, dropped: new Map(dropped) };
}

function splitAtSpace(text: string): readonly [string, string] {
  const space = text.indexOf(" ");
  return [text.slice(0, space), text.slice(space + 1)];
}
