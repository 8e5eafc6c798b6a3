import { setMaxListeners } from "node:events";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { type Change, type Informer, LiveInformer } from "#runtime/informer.ts";
import type { MemberConnection } from "./member-connection.ts";

/** Only what we manage is watched in a member: its own objects are none of our business, and may be many. */
const managedSelector = "karmada.io/managed=true";
export interface MemberNeeds {
  readonly name: string;
  readonly connection: MemberConnection;
  readonly clock: Clock;
  readonly log: Logger;
  /** How many of our objects of one kind are kept; the member is asked for those beyond. */
  readonly maxManaged: number;
}

/** What happened to one of our objects in a member. */
export type MemberChange = Change<ApiObject> & { readonly resource: ResourceId };

/** A member as those see it who send works there. */
export type MemberView = Pick<Member, "name" | "connection" | "client" | "managed" | "caches" | "subscribe">;

/** One member cluster while it is joined: its connection, and caches of what we manage there, begun when first asked for. */
export class Member {
  readonly name: string;
  readonly connection: MemberConnection;
  readonly #needs: MemberNeeds;
  readonly #stop = new AbortController();
  readonly #managed = new Map<string, Informer<ApiObject>>();
  readonly #listeners = new Set<(change: MemberChange) => void>();

  constructor(needs: MemberNeeds) {
    this.#needs = needs;
    this.name = needs.name;
    this.connection = needs.connection;
    setMaxListeners(0, this.#stop.signal); // one for every kind that is watched
  }

  get client(): Client {
    return this.connection.client;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The cache of our objects of one resource. */
  managed(resource: ResourceId): Informer<ApiObject> {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    const known = this.#managed.get(key);
    if (known !== undefined) return known;
    const { clock, log, maxManaged } = this.#needs;
    const informer = new LiveInformer<ApiObject>({
      client: this.client,
      resource,
      clock,
      log,
      options: { labelSelector: managedSelector },
      maxObjects: maxManaged,
    });
    this.#managed.set(key, informer);
    informer.subscribe((change) => {
      for (const listener of this.#listeners) listener({ resource, ...change });
    });
    informer.start(this.signal);
    return informer;
  }

  /** The caches that were asked for. */
  caches(): readonly Informer<ApiObject>[] {
    return [...this.#managed.values()];
  }

  /** Calls back for every change of our objects, whatever their resource; returns the function that ends it. */
  subscribe(listener: (change: MemberChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#stop.abort();
    this.connection.close();
  }
}
