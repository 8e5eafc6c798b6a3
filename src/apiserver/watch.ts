import type { CallOptions, WatchEvent, WatchListener, WatchSource } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { JsonObject } from "#base/json.ts";
import type { StoreEvent, WatchRequest } from "#storage/store.ts";
import type { Core, Target } from "./core.ts";
import { expectWatchOptions } from "./list-options.ts";
import { listPrefix, storageKey } from "./registry.ts";
import { parseWatchRevision } from "./revision.ts";
import { type ObjectFilter, parseFilter } from "./selectors.ts";

const bookmarkPeriodMs = 60_000;
/** A bookmark this long before the deadline lets the client resume from a fresh revision. */
const lastBookmarkMs = 2_000;
const minTimeoutMs = 1_800_000;

interface WatchPlan {
  readonly type: ResourceType;
  readonly filter: ObjectFilter;
  readonly prefix: string;
  /** Synthetic ADDED events for the present state first. */
  readonly initial: boolean;
  /** A bookmark with the initial-events-end annotation after them. */
  readonly markInitialEnd: boolean;
  readonly after: number;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
}

/** A watch as the client asked for it; throws for options that Kubernetes refuses, before anything is sent. */
export function watchObjects(core: Core, target: Target, options: CallOptions): WatchSource {
  const plan = planWatch(core, target, options);
  return { start: (listener) => new Watcher(core, plan, listener).start() };
}

function planWatch(core: Core, { type, namespace }: Target, options: CallOptions): WatchPlan {
  expectWatchOptions(options);
  const filter = parseFilter(type, options);
  const revision = parseWatchRevision(options.resourceVersion);
  const bookmarks = options.allowWatchBookmarks === true;
  const fromNow = revision === undefined || revision === 0;
  const initial = options.sendInitialEvents ?? fromNow;
  const single = filter.name !== undefined && (namespace !== undefined || !type.namespaced);
  return {
    type,
    filter,
    prefix: single ? storageKey(type, namespace, filter.name!) : listPrefix(type, namespace),
    initial,
    markInitialEnd: initial && bookmarks && (options.sendInitialEvents === true || revision === 0),
    after: initial || fromNow ? core.store.revision : revision,
    bookmarks,
    timeoutMs:
      options.timeoutSeconds !== undefined && options.timeoutSeconds > 0
        ? options.timeoutSeconds * 1_000
        : minTimeoutMs * (1 + core.random.fraction()),
  };
}

/** One client's stream over the store's events: snapshot and subscription in one turn, so that nothing falls between. */
class Watcher {
  readonly #core: Core;
  readonly #plan: WatchPlan;
  readonly #listener: WatchListener;
  readonly #undo: (() => void)[] = [];
  #seen: number;
  #ended = false;
  #type: ResourceType;
  #registryVersion: number;

  constructor(core: Core, plan: WatchPlan, listener: WatchListener) {
    this.#core = core;
    this.#plan = plan;
    this.#listener = listener;
    this.#seen = plan.after;
    this.#type = plan.type;
    this.#registryVersion = core.registry.version;
  }

  start(): () => void {
    const { initial, timeoutMs, bookmarks } = this.#plan;
    const after = initial ? this.#sendInitialEvents() : this.#plan.after;
    const subscription = this.#core.store.watch(this.#request(after));
    if (!subscription.ok) {
      this.#listener.event({ type: "ERROR", status: tooOld(after, subscription.oldest) });
      this.#end();
      return () => {};
    }
    this.#undo.push(
      subscription.stop,
      this.#core.clock.after(timeoutMs, () => this.#end()),
    );
    if (bookmarks) this.#scheduleBookmarks(timeoutMs);
    return () => this.#stop();
  }

  #request(after: number): WatchRequest<ApiObject> {
    return {
      prefix: this.#plan.prefix,
      after,
      deliver: (event) => this.#deliver(event),
      progress: (revision) => {
        this.#seen = revision;
      },
    };
  }

  #sendInitialEvents(): number {
    const { prefix, type, filter, markInitialEnd } = this.#plan;
    const result = this.#core.store.list({ prefix });
    if (!result.ok) return this.#plan.after; // unreachable: a list of the present is always kept
    for (const { value } of result.entries) {
      const object = this.#core.shapes.served(type, value);
      if (filter.matches(object)) this.#listener.event({ type: "ADDED", object });
    }
    this.#seen = result.revision;
    if (markInitialEnd) this.#bookmark({ initialEventsEnd: true });
    return result.revision;
  }

  #deliver(event: StoreEvent<ApiObject>): void {
    this.#seen = event.revision;
    const translated = translate(event, this.#plan.filter, (object) => this.#served(object));
    if (translated !== undefined) this.#listener.event(translated);
  }

  /** By the resource as it is defined now, which may have changed since the watch began. */
  #served(object: ApiObject): ApiObject {
    const { registry, shapes } = this.#core;
    if (this.#registryVersion !== registry.version) {
      const { group, version, plural } = this.#type;
      this.#type = registry.get(group, version, plural) ?? this.#type;
      this.#registryVersion = registry.version;
    }
    return shapes.served(this.#type, object);
  }

  #scheduleBookmarks(remainingMs: number): void {
    const untilLast = remainingMs - lastBookmarkMs;
    const delay = Math.min(bookmarkPeriodMs, untilLast > 0 ? untilLast : remainingMs / 2);
    const cancel = this.#core.clock.after(delay, () => {
      this.#undo.splice(this.#undo.indexOf(cancel), 1);
      this.#bookmark({ initialEventsEnd: false });
      if (remainingMs - delay > lastBookmarkMs) this.#scheduleBookmarks(remainingMs - delay);
    });
    this.#undo.push(cancel);
  }

  #bookmark({ initialEventsEnd }: { readonly initialEventsEnd: boolean }): void {
    this.#listener.event({ type: "BOOKMARK", resourceVersion: String(this.#seen), initialEventsEnd });
  }

  #end(): void {
    if (this.#ended) return;
    this.#stop();
    this.#listener.end();
  }

  #stop(): void {
    this.#ended = true;
    for (const undo of this.#undo.splice(0)) undo();
  }
}

/** With a selector, an object that stops matching is deleted for this client, one that starts matching is added. */
function translate(
  event: StoreEvent<ApiObject>,
  filter: ObjectFilter,
  served: (object: ApiObject) => ApiObject,
): WatchEvent | undefined {
  const { type } = event;
  const value = served(event.value);
  if (filter.all) return { type: eventNames[type], object: value };
  const previous = event.previous === undefined ? undefined : served(event.previous);
  const before = previous !== undefined && filter.matches(previous);
  const now = type !== "deleted" && filter.matches(value);
  if (before && now) return { type: "MODIFIED", object: value };
  if (now) return { type: "ADDED", object: value };
  if (!before) return undefined;
  if (type === "deleted") return { type: "DELETED", object: value };
  // what the client knew, at the revision at which it left
  return {
    type: "DELETED",
    object: { ...previous, metadata: { ...previous.metadata, resourceVersion: value.metadata.resourceVersion } },
  };
}

const eventNames = { created: "ADDED", updated: "MODIFIED", deleted: "DELETED" } as const;

function tooOld(revision: number, oldest: number): JsonObject {
  // a Status is plain JSON
  return StatusError.expired(`too old resource version: ${revision} (${oldest})`).toStatus() as unknown as JsonObject;
}
