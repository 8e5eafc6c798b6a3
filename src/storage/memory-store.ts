import type { Committer } from "./committer.ts";
import { LogStore } from "./log-store.ts";
import type { Store } from "./store.ts";

export interface MemoryStoreOptions {
  /** How many changes to keep for watches and lists from the past. */
  readonly historyLimit?: number;
}

/** A store that forgets everything with the process: the same rules as the durable one, without a disk. */
export function openMemoryStore<Value>({ historyLimit = 20_000 }: MemoryStoreOptions = {}): Store<Value> {
  return new LogStore({ committer: forgetfulCommitter<Value>(), historyLimit });
}

/** Commits at the end of the turn, never within the call: callers see the order of events they would see with a disk. */
function forgetfulCommitter<Value>(): Committer<Value> {
  return {
    encode: () => "",
    commit: async () => ({ kept: "all" }),
    compact: async () => undefined,
    close: async () => undefined,
  };
}
