import type { Collection } from "./collection.ts";
import type { Change } from "./history.ts";
import type { Build, Entry, StoreEvent, StoreRefusal } from "./store.ts";

/** A write that was accepted and is not yet durable. */
export interface PendingWrite<Value> {
  readonly change: Change<Value>;
  readonly collection: Collection<Value>;
  readonly result: Promise<Written<Value>>;
  resolve(result: Written<Value>): void;
  reject(error: Error): void;
}

/** How an accepted write can end. */
export type Written<Value> = { readonly ok: true; readonly entry: Entry<Value> } | StoreRefusal;

export function pendingWrite<Value>(change: Change<Value>, collection: Collection<Value>): PendingWrite<Value> {
  // The promise runs its executor at once: both are set when it returns.
  let resolve!: (result: Written<Value>) => void;
  let reject!: (error: Error) => void;
  const result = new Promise<Written<Value>>((resolveResult, rejectResult) => {
    resolve = resolveResult;
    reject = rejectResult;
  });
  return { change, collection, result, resolve, reject };
}

/** What a change is made of. */
export interface ChangeParts<Value> {
  readonly type: StoreEvent<Value>["type"];
  readonly key: string;
  readonly revision: number;
  readonly before: Entry<Value> | undefined;
  readonly build: Build<Value>;
}

export function changeOf<Value>({ type, key, revision, before, build }: ChangeParts<Value>): Change<Value> {
  const value = build(revision);
  if (before === undefined) {
    return { type, key, revision, value, entry: { key, value, revision, createRevision: revision } };
  }
  const entry = { key, value, revision, createRevision: before.createRevision };
  return { type, key, revision, value, previous: before.value, entry, before };
}
