import { Collection } from "./collection.ts";
import type { CommitOutcome, Committer, DurableWrite } from "./committer.ts";
import { type Change, History } from "./history.ts";
import { type Judge, judgeCreate, judgeReplace } from "./judge.ts";
import { listEntries } from "./list-entries.ts";
import { changeOf, type PendingWrite, pendingWrite, type Written } from "./pending-write.ts";
import { isInScope, prefixOf, scopeOf } from "./scope.ts";
import type {
  Build,
  CreateResult,
  Entry,
  ListRequest,
  ListResult,
  Store,
  StoreEvent,
  UpdateResult,
  WatchRequest,
  WatchResult,
} from "./store.ts";
import { StoreFailure } from "./store-failure.ts";
import { runGuarded, type Watcher } from "./watcher-index.ts";

export interface LogStoreOptions<Value> {
  readonly committer: Committer<Value>;
  /** How many changes to keep for watches and lists from the past. */
  readonly historyLimit: number;
  /** How many characters a value may have as it is kept; without it, any number. */
  readonly maxCharacters?: number;
}

/**
 * The state, history and watchers of a store, in memory; a committer makes it durable.
 *
 *   call ── judged ──> in flight ── commit ──> applied: visible, acknowledged, delivered
 *            └─ refused            └─ no space, disk failed: as if it had never been
 *
 * A key has at most one write in flight; the next one for the same key waits for it and is judged after it. So everything is
 * judged against committed state only, no refusal can rest on a write that a crash undoes, and a write that fails for lack of
 * space takes no other along.
 */
export class LogStore<Value> implements Store<Value> {
  readonly #committer: Committer<Value>;
  readonly #maxCharacters: number;
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #collections = new Map<string, Collection<Value>>();
  readonly #history: History<Value>;
  readonly #inFlight = new Map<string, PendingWrite<Value>>();
  readonly #progressWatchers = new Set<Watcher<Value>>();
  /** What was accepted in this turn and goes to the committer at its end. */
  #turn: PendingWrite<Value>[] = [];
  /** The same as it is kept on disk; apart, since texts are of no use any more once the committer has them. */
  #durable: DurableWrite<Value>[] = [];
  #lastCommit: Promise<void> = Promise.resolve();
  /** The last revision given to a write. One that failed leaves a gap; nobody has seen it. */
  #allocated = 0;
  #revision = 0;
  #failure: StoreFailure | undefined;
  /** However many ask at once, the committer is asked once. */
  #probing: Promise<string | undefined> | undefined;

  constructor({ committer, historyLimit, maxCharacters = Number.POSITIVE_INFINITY }: LogStoreOptions<Value>) {
    this.#committer = committer;
    this.#maxCharacters = maxCharacters;
    this.#history = new History(historyLimit);
  }

  get revision(): number {
    return this.#revision;
  }

  get(key: string): Entry<Value> | undefined {
    return this.#entries.get(key);
  }

  count(prefix: string): number {
    const scope = scopeOf(prefix);
    const collection = this.#collections.get(scope.prefix);
    if (collection === undefined || scope.part === scope.prefix) return collection?.keys.size ?? 0;
    const { start, end } = collection.keys.range(scope);
    return end - start;
  }

  list(request: ListRequest): ListResult<Value> {
    const scope = scopeOf(request.prefix);
    const collection = this.#collections.get(scope.prefix) ?? new Collection<Value>(scope.prefix);
    return listEntries(request, { scope, collection, entries: this.#entries, revision: this.#revision });
  }

  create(key: string, build: Build<Value>): Promise<CreateResult<Value>> {
    return this.#write({ type: "created", key, build, judge: judgeCreate });
  }

  update(key: string, expected: number, build: Build<Value>): Promise<UpdateResult<Value>> {
    return this.#write({ type: "updated", key, build, judge: judgeReplace(expected) });
  }

  delete(key: string, expected: number, build: Build<Value>): Promise<UpdateResult<Value>> {
    return this.#write({ type: "deleted", key, build, judge: judgeReplace(expected) });
  }

  watch(request: WatchRequest<Value>): WatchResult {
    const scope = scopeOf(request.prefix);
    const collection = this.#collection(scope.prefix);
    const oldest = collection.history.dropped;
    if (request.after < oldest) return { ok: false, why: "compacted", revision: this.#revision, oldest };
    for (const change of collection.history.after(request.after)) {
      if (isInScope(change.key, scope)) request.deliver(change);
    }
    const watcher: Watcher<Value> = { request, seen: Math.max(request.after, this.#revision) };
    const remove = collection.watchers.add(scope, watcher);
    if (request.progress !== undefined) this.#progressWatchers.add(watcher);
    const stop = () => {
      remove();
      this.#progressWatchers.delete(watcher);
    };
    return { ok: true, stop };
  }

  async compact(revision: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const upTo = Math.min(revision, this.#revision);
    await this.#committer.compact(upTo);
    this.#history.dropUpTo(upTo);
  }

  probe(): Promise<string | undefined> {
    this.#probing ??= this.#askCommitter().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  /** At start: takes over a durable change, in revision order. One that is not history can be neither watched nor undone. */
  restore(change: Change<Value>, { isHistory }: { readonly isHistory: boolean }): void {
    const collection = this.#collection(prefixOf(change.key));
    this.#apply(change, collection);
    if (isHistory) this.#history.append(collection.history, change);
    this.restoreDropped(collection.prefix, isHistory ? 0 : change.revision);
    this.restoreRevision(change.revision);
  }

  /** At start: takes over the newest revision ever given out, which may be newer than every change that is left. */
  restoreRevision(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
    this.#allocated = this.#revision;
  }

  /** At start: takes over up to where a prefix has lost its history. */
  restoreDropped(prefix: string, revision: number): void {
    const { history } = this.#collection(prefix);
    history.dropped = Math.max(history.dropped, revision);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#failure?.why === "closed") return;
    this.#failure = new StoreFailure("closed", "cannot write: the store is closed");
    this.#sendTurn();
    await this.#lastCommit;
    await this.#committer.close();
  }

  /** A commit of nothing goes the way of every write and finds out whether there is room again. */
  async #askCommitter(): Promise<string | undefined> {
    if (this.#failure !== undefined) return this.#failure.message;
    try {
      const outcome = await this.#committer.commit([]);
      return outcome.kept === "all" ? undefined : outcome.detail;
    } catch (error: unknown) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #write<Refusal>(request: WriteRequest<Value, Refusal>): Promise<Refusal | Written<Value>> {
    try {
      return this.#tryWrite(request);
    } catch (error: unknown) {
      return Promise.reject(error); // a caller has one way to be told, and no write waits for a turn more than it needs
    }
  }

  #tryWrite<Refusal>(request: WriteRequest<Value, Refusal>): Promise<Refusal | Written<Value>> {
    const { type, key, build, judge } = request;
    if (this.#failure !== undefined) throw this.#failure;
    const before = this.#entries.get(key);
    const refusal = judge(before);
    if (refusal !== undefined) return Promise.resolve(refusal);
    const other = this.#inFlight.get(key);
    if (other === undefined) return this.#append(changeOf({ type, key, revision: this.#allocated + 1, before, build }));
    return other.result.catch(() => undefined).then(() => this.#write(request)); // how it ended shows in the next round
  }

  /** No await stands between giving out a revision and its place in the queue: commits follow revision order. */
  #append(change: Change<Value>): Promise<Written<Value>> {
    const text = this.#committer.encode(change.value);
    if (text.length > this.#maxCharacters && change.type !== "deleted") {
      const detail = `Request entity too large: an object may have ${this.#maxCharacters} characters, this one has ${text.length}`;
      return Promise.resolve({ ok: false, why: "tooLarge", detail });
    }
    const write = pendingWrite(change, this.#collection(prefixOf(change.key)));
    this.#allocated = change.revision;
    this.#inFlight.set(change.key, write);
    this.#durable.push({ change, text });
    if (this.#turn.push(write) === 1) void Promise.resolve().then(() => this.#sendTurn());
    return write.result;
  }

  #sendTurn(): void {
    const writes = this.#turn;
    const durable = this.#durable;
    if (writes.length === 0) return;
    this.#turn = [];
    this.#durable = [];
    this.#lastCommit = this.#committer.commit(durable).then(
      (outcome) => this.#finish(writes, outcome),
      (error: StoreFailure) => this.#fail(writes, error),
    );
  }

  #finish(writes: readonly PendingWrite<Value>[], outcome: CommitOutcome): void {
    const kept = writes.filter(({ change }) => isKept(change, outcome));
    for (const { change, collection } of kept) {
      this.#apply(change, collection);
      this.#history.append(collection.history, change);
      this.#revision = change.revision;
    }
    for (const { change, resolve } of writes) {
      this.#inFlight.delete(change.key);
      if (outcome.kept === "all" || isKept(change, outcome)) resolve({ ok: true, entry: change.entry });
      else resolve({ ok: false, why: "noSpace", detail: outcome.detail });
    }
    for (const { change, collection } of kept) collection.watchers.deliver(collection.prefix, change);
    if (kept.length === 0) return;
    for (const { request } of this.#progressWatchers) runGuarded(() => request.progress?.(this.#revision));
  }

  #fail(writes: readonly PendingWrite<Value>[], error: StoreFailure): void {
    this.#failure ??= error;
    for (const { change, reject } of writes) {
      this.#inFlight.delete(change.key);
      reject(error);
    }
  }

  #apply({ type, key, entry }: Change<Value>, { keys }: Collection<Value>): void {
    if (type === "deleted") {
      this.#entries.delete(key);
      keys.remove(key);
      return;
    }
    if (type === "created") keys.add(key);
    this.#entries.set(key, entry);
  }

  #collection(prefix: string): Collection<Value> {
    const known = this.#collections.get(prefix);
    if (known !== undefined) return known;
    const collection = new Collection<Value>(prefix);
    this.#collections.set(prefix, collection);
    return collection;
  }
}

interface WriteRequest<Value, Refusal> {
  readonly type: StoreEvent<Value>["type"];
  readonly key: string;
  readonly build: Build<Value>;
  readonly judge: Judge<Value, Refusal>;
}

function isKept<Value>({ type }: Change<Value>, { kept }: CommitOutcome): boolean {
  return kept === "all" || (kept === "deletions" && type === "deleted");
}
