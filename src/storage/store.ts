/**
 * A revisioned log with watch: what etcd is to kube-apiserver, as small as it can be held in the head.
 *
 * One counter numbers every committed write. A write is acknowledged, visible to readers and sent to watchers only after it is
 * durable, in that order. Values are immutable and held once; what `get` hands out is what `watch` delivered.
 *
 * Keys are `<prefix>/<rest>`, where the prefix (`apps/deployments`, `/configmaps` for the core group) is everything up to the
 * second slash: lists and watches are by prefix, by prefix and namespace, or of one key.
 *
 * Writes reject with a StoreFailure (store-failure.ts) once the disk has failed or the store is closed; reads go on. Between
 * turns every watcher has been given everything up to `revision`.
 */
export interface Store<Value> extends AsyncDisposable {
  get(key: string): Entry<Value> | undefined;
  /** Entries in key order, as they were at the returned revision. */
  list(request: ListRequest): ListResult<Value>;
  create(key: string, build: Build<Value>): Promise<CreateResult<Value>>;
  /** Replaces the entry whose revision is `expected`. */
  update(key: string, expected: number, build: Build<Value>): Promise<UpdateResult<Value>>;
  /** Deletes the entry whose revision is `expected`; watchers get `build`'s value, the last state at the deletion's revision. */
  delete(key: string, expected: number, build: Build<Value>): Promise<UpdateResult<Value>>;
  /** Subscribes and, in the same turn, replays what happened after `after`: no event is missed between. */
  watch(request: WatchRequest<Value>): WatchResult;
  /** Forgets history up to a revision; watches and lists from before it are answered with `compacted`. */
  compact(revision: number): Promise<void>;
  /** The revision of the last durable write. */
  readonly revision: number;
  /** How many entries a prefix, or a namespace in it, holds. */
  count(prefix: string): number;
  /** Why writes are not taken now, after asking whoever makes them durable; undefined when they are. */
  probe(): Promise<string | undefined>;
}

/** Makes the value once its revision is known, so that the revision can stand inside it. Must be pure: called once, synchronously. */
export type Build<Value> = (revision: number) => Value;

export interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly revision: number;
  readonly createRevision: number;
}

export interface ListRequest {
  /** `apps/deployments/` or `apps/deployments/shop/`: every key that starts with it. Without a slash at its end: that one key. */
  readonly prefix: string;
  /** Resume after this key (exclusive). */
  readonly after?: string;
  /** At most this many; 0 for all. */
  readonly limit?: number;
  /** The state as of this revision instead of now. */
  readonly at?: number;
}

export type ListResult<Value> =
  | {
      readonly ok: true;
      readonly entries: readonly Entry<Value>[];
      readonly revision: number;
      /** How many follow the last entry; 0 when complete. */
      readonly remaining: number;
    }
  | { readonly ok: false; readonly why: "compacted" | "future"; readonly revision: number; readonly oldest: number };

export type CreateResult<Value> =
  | { readonly ok: true; readonly entry: Entry<Value> }
  | { readonly ok: false; readonly why: "exists"; readonly entry: Entry<Value> }
  | StoreRefusal;

export type UpdateResult<Value> =
  | { readonly ok: true; readonly entry: Entry<Value> }
  | { readonly ok: false; readonly why: "missing" }
  | { readonly ok: false; readonly why: "conflict"; readonly entry: Entry<Value> }
  | StoreRefusal;

/**
 * `noSpace`: the disk is full; reads and deletes go on, everything else waits for space. `tooLarge`: the value alone is more than one
 * may have. `detail` says so in words for the operator.
 */
export type StoreRefusal = { readonly ok: false; readonly why: "noSpace" | "tooLarge"; readonly detail: string };

export interface StoreEvent<Value> {
  readonly type: "created" | "updated" | "deleted";
  readonly key: string;
  readonly revision: number;
  /** For `deleted`: the last state, stamped with the deletion's revision. */
  readonly value: Value;
  readonly previous?: Value;
}

export interface WatchRequest<Value> {
  /** As in a list. */
  readonly prefix: string;
  /** Deliver events with a revision above this. */
  readonly after: number;
  /** Called in revision order, first for the replayed events (before `watch` returns), then as writes commit. */
  readonly deliver: (event: StoreEvent<Value>) => void;
  /** Called after the deliveries of each commit with the revision up to which this watcher has now seen everything. */
  readonly progress?: (revision: number) => void;
}

export type WatchResult =
  | { readonly ok: true; readonly stop: () => void }
  | { readonly ok: false; readonly why: "compacted"; readonly revision: number; readonly oldest: number };
