import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { ResourceStream } from "#runtime/resource-stream.ts";
import type { ServedResources } from "./served-resources.ts";

/** Hears of all objects of all resources; see StreamListener for the order. */
export interface FeedListener {
  listing?(resource: ResourceId): void;
  present?(resource: ResourceId, sighting: Sighting): void;
  gone?(resource: ResourceId, object: ApiObject): void;
  listed?(resource: ResourceId): void;
  /** The resource is served no longer; what becomes of its objects cannot be seen any more. */
  dropped?(resource: ResourceId): void;
}

export interface Sighting {
  readonly object: ApiObject;
  /** Seen in a listing: not something that somebody just did. */
  readonly initial: boolean;
}

export interface ResourceFeedOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly served: ServedResources;
}

/**
 * Follows every resource that the cluster serves, one stream for each, as resources come and go with their definitions. Keeps no
 * objects: whoever listens keeps what it needs.
 */
export class ResourceFeed {
  readonly #options: ResourceFeedOptions;
  readonly #listeners = new Set<FeedListener>();
  readonly #streams = new Map<string, { readonly resource: ResourceId; readonly stop: AbortController }>();
  /** Resources whose present state has not been told in full yet. */
  readonly #unlisted = new Set<string>();
  readonly #waiting: (() => void)[] = [];

  constructor(options: ResourceFeedOptions) {
    this.#options = options;
  }

  /** Must be called before `start`: nothing is told twice. */
  subscribe(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(signal: AbortSignal): void {
    const unsubscribe = this.#options.served.subscribe(() => this.#renew());
    signal.addEventListener(
      "abort",
      () => {
        unsubscribe();
        for (const { stop } of this.#streams.values()) stop.abort();
        for (const resolve of this.#waiting.splice(0)) resolve();
      },
      { once: true },
    );
    this.#renew();
  }

  /** Whether the present state of everything served has been told. */
  get isListed(): boolean {
    return this.#unlisted.size === 0;
  }

  /** Resolves when the present state of everything served has been told, or the feed has been stopped. */
  whenListed(): Promise<void> {
    return this.isListed ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #renew(): void {
    const served = new Map(this.#options.served.stored().map((resource) => [idOf(resource), resource]));
    for (const [id, { resource, stop }] of this.#streams) {
      if (served.has(id)) continue;
      stop.abort();
      this.#streams.delete(id);
      this.#unlisted.delete(id);
      this.#tell((listener) => listener.dropped?.(resource));
    }
    for (const [id, resource] of served) if (!this.#streams.has(id)) this.#follow(id, resource);
    this.#tellListed();
  }

  #follow(id: string, resource: ResourceId): void {
    const { client, clock, log } = this.#options;
    const stop = new AbortController();
    this.#streams.set(id, { resource, stop });
    this.#unlisted.add(id);
    let initial = true;
    const stream = new ResourceStream({
      client,
      clock,
      log,
      resource,
      listener: {
        listing: () => {
          initial = true;
          this.#tell((listener) => listener.listing?.(resource));
        },
        present: (object) => this.#tell((listener) => listener.present?.(resource, { object, initial })),
        gone: (object) => this.#tell((listener) => listener.gone?.(resource, object)),
        listed: () => {
          initial = false;
          this.#tell((listener) => listener.listed?.(resource));
          this.#unlisted.delete(id);
          this.#tellListed();
        },
      },
    });
    stream.start(stop.signal);
  }

  #tell(say: (listener: FeedListener) => void): void {
    for (const listener of this.#listeners) say(listener);
  }

  #tellListed(): void {
    if (this.#unlisted.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function idOf({ group, version, resource }: ResourceId): string {
  return `${group}/${version}/${resource}`;
}
