import type { MessagePort } from "node:worker_threads";
import type { CommitOutcome } from "./committer.ts";
import type { SharedText } from "./shared-texts.ts";
import type { StoreEvent } from "./store.ts";
import type { StoreFailureReason } from "./store-failure.ts";

/** The name of the database in its directory; SQLite keeps its log beside it. */
export const databaseFile = "store.db";

/** What a worker thread is told for each database that it is to own; all else goes through the port. */
export interface OpenDatabase {
  readonly port: MessagePort;
  readonly options: SqliteWorkerOptions;
}

/** How a database is opened. */
export interface SqliteWorkerOptions {
  readonly directory: string;
  /** The database may not grow beyond this many bytes; undefined: as far as the disk goes. */
  readonly maxBytes: number | undefined;
  /** Disk space held back so that deletions still work when everything else is full. */
  readonly reserveBytes: number;
  /** How much is logged before it is moved into the database file. */
  readonly checkpointBytes: number;
  /** Whether to read the whole database file for damage before opening it. */
  readonly fullCheck: boolean;
  /** How many changes the store will keep: what older ones replaced is of no use to it. */
  readonly historyLimit: number;
}

/** A row of the log; an array because thousands of them cross between threads. */
export type LogRow = readonly [
  revision: number,
  type: number,
  createRevision: number,
  /** The revision of the row that this one replaces; 0 for a creation. */
  previousRevision: number,
  key: string,
  value: string,
];

/** Rows as they are read back. Those that nobody can ask for any more are left out. */
export interface ReadRows {
  /** None at the end. */
  readonly rows: readonly LogRow[];
  /** By prefix, the newest revision that was left out so far. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** The types of events, in the order of the numbers that stand for them in a row. */
export const rowTypes: readonly StoreEvent<unknown>["type"][] = ["created", "updated", "deleted"];
export const deletionType = rowTypes.indexOf("deleted");

export type SqliteRequest =
  /** The next rows in order: sent until `rows` comes back empty. */
  | { readonly do: "read" }
  | ({ readonly do: "commit" } & Appended)
  | { readonly do: "compact"; readonly revision: number }
  | { readonly do: "close" };

/** What one transaction adds. */
export interface Appended {
  readonly rows: readonly LogRow[];
  /** What their values name; some may be there already. */
  readonly texts: readonly SharedText[];
}

export type SqliteReply =
  | ({ readonly is: "opened" } & OpenedLog)
  | ({ readonly is: "rows" } & ReadRows)
  /** Answers that many commit requests, oldest first. */
  | { readonly is: "committed"; readonly requests: number; readonly outcome: CommitOutcome }
  | { readonly is: "compacted" }
  | { readonly is: "closed" }
  /** The last reply there is. */
  | { readonly is: "failed"; readonly why: StoreFailureReason; readonly message: string };

/** What the log says about itself when it is opened. */
export interface OpenedLog extends LogBounds {
  /** What values name. */
  readonly texts: readonly SharedText[];
}

export interface LogBounds {
  /** The newest revision ever made durable. */
  readonly revision: number;
  /** Rows up to here are state, not history. */
  readonly compacted: number;
  /** Rows up to here no longer have the rows they replaced. */
  readonly swept: number;
  /** By prefix, the newest revision that was swept away. */
  readonly dropped: ReadonlyMap<string, number>;
}
