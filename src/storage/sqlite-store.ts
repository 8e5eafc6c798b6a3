import { join } from "node:path";
import { LogStore } from "./log-store.ts";
import { restoreLog } from "./restore-log.ts";
import { SqliteCommitter } from "./sqlite-committer.ts";
import { failureOf } from "./sqlite-failure.ts";
import { databaseFile, type SqliteWorkerOptions } from "./sqlite-protocol.ts";
import { SqliteThreads } from "./sqlite-threads.ts";
import type { Store } from "./store.ts";
import type { Codec } from "./stored-codec.ts";

export interface SqliteStoreOptions<Value> extends Partial<Omit<SqliteWorkerOptions, "directory" | "historyLimit">> {
  /** Created where missing, for this user alone; one process at a time can have it open. */
  readonly directory: string;
  readonly codec: Codec<Value>;
  /** How many changes to keep in memory for watches and lists from the past. */
  readonly historyLimit?: number;
  /** How many characters a value may have as it is kept. */
  readonly maxCharacters?: number;
  /** Where its database may be; in a thread of its own when not given. */
  readonly threads?: SqliteThreads;
}

/** As much as etcd takes. */
const defaultMaxCharacters = 1_572_864;

/** Opens the store in a directory and reads all of it. Throws a StoreFailure that says what stands in the way. */
export async function openSqliteStore<Value>(options: SqliteStoreOptions<Value>): Promise<Store<Value>> {
  const { directory, codec, historyLimit = 20_000, threads = new SqliteThreads({ limit: 1 }) } = options;
  const maxCharacters = options.maxCharacters ?? defaultMaxCharacters;
  const opening: SqliteWorkerOptions = {
    directory,
    maxBytes: options.maxBytes,
    reserveBytes: options.reserveBytes ?? 4 << 20,
    checkpointBytes: options.checkpointBytes ?? 16 << 20,
    fullCheck: options.fullCheck ?? false,
    historyLimit,
  };
  const committer = new SqliteCommitter<Value>(threads.open(opening), codec);
  const store = new LogStore({ committer, historyLimit, maxCharacters });
  try {
    await restoreLog(store, { reader: committer, codec });
    return store;
  } catch (error) {
    await committer.close().catch(() => undefined); // why it cannot be opened matters more
    throw failureOf(error, { doing: `open the store in "${directory}"`, path: join(directory, databaseFile) });
  }
}
