import { DamagedRecord, StoreFailure, type StoreFailureReason } from "./store-failure.ts";

/** SQLite's primary result codes that we act upon. */
export const sqliteErrors = {
  busy: (error: unknown) => primaryCode(error) === 5,
  full: (error: unknown) => primaryCode(error) === 13,
} as const;

const reasons: ReadonlyMap<number, StoreFailureReason> = new Map([
  [1, "corrupt"], // ERROR: our statements do not fit the tables
  [3, "denied"], // PERM
  [8, "denied"], // READONLY
  [11, "corrupt"], // CORRUPT
  [14, "denied"], // CANTOPEN
  [20, "corrupt"], // MISMATCH
  [23, "denied"], // AUTH
  [26, "corrupt"], // NOTADB
]);

const deniedCodes: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOENT", "EEXIST"]);

export interface FailureFacts {
  /** What could not be done: `open the store in "…"`. */
  readonly doing: string;
  readonly path: string;
}

/** Turns what SQLite or the file system threw into words an operator can act upon. */
export function failureOf(error: unknown, { doing, path }: FailureFacts): StoreFailure {
  if (error instanceof StoreFailure) return error;
  const why = reasonOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  return new StoreFailure(why, `cannot ${doing}: ${explain(why, path)} (${detail})`, { cause: error });
}

function explain(why: StoreFailureReason, path: string): string {
  switch (why) {
    case "corrupt":
      return `"${path}" is damaged; keep a copy of its directory, then restore it from a backup or remove it to start empty`;
    case "denied":
      return `"${path}" cannot be written; check that its directory belongs to the user who runs this and is not read-only`;
    default:
      return `the disk under "${path}" failed; check it, then start again`;
  }
}

function reasonOf(error: unknown): StoreFailureReason {
  if (error instanceof DamagedRecord) return "corrupt";
  if (error instanceof Error && "code" in error && deniedCodes.has(error.code)) return "denied";
  return reasons.get(primaryCode(error)) ?? "io";
}

/** The low byte of an extended result code; -1 for what is not SQLite's. */
function primaryCode(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : -1;
}
