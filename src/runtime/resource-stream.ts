import type { CallOptions, WatchEvent, WatchSource } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { retryAskedMs } from "./asked-retry.ts";

/** Hears what a stream finds out, in order. */
export interface StreamListener {
  /** The present state follows; what is not told again until `listed` is gone. */
  listing(): void;
  /** The object is there, in this state. */
  present(object: ApiObject): void;
  /** The object was there and is not any more; this is its last state. */
  gone(object: ApiObject): void;
  /** The present state has been told; changes follow as they happen. */
  listed(): void;
}

export interface ResourceStreamOptions {
  readonly client: Client;
  readonly resource: ResourceId;
  readonly clock: Clock;
  readonly log: Logger;
  readonly listener: StreamListener;
  readonly options?: CallOptions & { readonly namespace?: string };
}

const firstRetryMs = 100;
const maxRetryMs = 10_000;
/** A listing is dear. */
const maxRestartMs = 30_000;
/** A stream that went on for so long was a good one. */
const goodMs = 30_000;

/**
 * Follows a resource whatever happens to the connection: a watch that begins with the present state, resumed from the last
 * revision when it breaks, begun anew when that revision is gone. Keeps no objects.
 *
 *   idle ── start ──▶ listing ── initial-events-end ──▶ following ── end ──▶ following (resumed)
 *                        ▲                                   │
 *                        └───────────── 410 Expired ◀────────┘
 */
export class ResourceStream {
  readonly #needs: ResourceStreamOptions;
  /** Up to where everything has been told; undefined: begin with a listing. */
  #revision: string | undefined;
  #listing = false;
  #stopped = false;
  #retryMs = firstRetryMs;
  /** Beginnings anew without a stream that lasted in between: a listing is dear, and does not count as progress. */
  #restarts = 0;
  #connectedMs = 0;
  /** The error that was told last, while it lasts. */
  #reported: string | undefined;
  /** Ends what is under way: the stream, or the wait for the next try. */
  #undo: (() => void) | undefined;

  constructor(options: ResourceStreamOptions) {
    this.#needs = options;
  }

  /** Up to where everything has been told; undefined before the first listing is over, and while another is under way. */
  get revision(): string | undefined {
    return this.#listing ? undefined : this.#revision;
  }

  start(signal: AbortSignal): void {
    if (signal.aborted) return;
    signal.addEventListener("abort", () => this.#stop(), { once: true });
    void this.#connect();
  }

  #stop(): void {
    this.#stopped = true;
    this.#undo?.();
  }

  async #connect(): Promise<void> {
    const { client, resource, options, clock } = this.#needs;
    const where =
      this.#revision === undefined
        ? { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" }
        : { resourceVersion: this.#revision };
    this.#connectedMs = clock.nowMs();
    try {
      const source = await client.watch(resource, { ...options, allowWatchBookmarks: true, ...where });
      if (!this.#stopped) this.#follow(source);
    } catch (error: unknown) {
      if (!this.#stopped) this.#refused(error);
    }
  }

  #refused(error: unknown): void {
    if (error instanceof StatusError && error.code === 410) this.#beginAnew();
    else this.#report(error);
    const seconds = error instanceof StatusError ? error.details?.retryAfterSeconds : undefined;
    this.#reconnect(seconds === undefined ? undefined : seconds * 1_000);
  }

  /** A server that stays away is an error once, until it has been heard again. */
  #report(error: unknown): void {
    const { log, resource } = this.#needs;
    const text = String(error);
    log[this.#reported === text ? "debug" : "error"]("cannot watch", { resource: resource.resource, error });
    this.#reported = text;
  }

  #beginAnew(): void {
    this.#revision = undefined;
    this.#restarts++;
  }

  #follow(source: WatchSource): void {
    let over = false;
    let stop: () => void = () => {};
    const finish = () => {
      over = true;
      stop();
    };
    const end = (error?: unknown) => {
      if (over) return;
      finish();
      if (error === undefined) this.#reconnect();
      else this.#refused(error);
    };
    this.#undo = finish;
    this.#listing = this.#revision === undefined;
    if (this.#listing) this.#needs.listener.listing();
    stop = source.start({ event: (event) => over || this.#receive(event, end), end });
    if (over) stop(); // it ended, or was stopped, before it could be told to stop
  }

  /** A stream that ends is ordinary: resume soon. One that brings nothing gets more time with each try. */
  #reconnect(askedMs?: number): void {
    const { clock } = this.#needs;
    this.#undo?.(); // whatever went wrong, and in whatever order: there is one way to the server at most
    if (!this.#listing && clock.nowMs() - this.#connectedMs >= goodMs) {
      this.#retryMs = firstRetryMs;
      this.#restarts = Math.min(this.#restarts, 1);
      this.#reported = undefined;
    }
    const restartMs = this.#restarts < 2 ? 0 : Math.min(firstRetryMs * 2 ** (this.#restarts - 1), maxRestartMs);
    const retryMs = askedMs === undefined ? this.#retryMs : retryAskedMs(this.#retryMs, askedMs);
    this.#undo = clock.after(Math.max(retryMs, restartMs), () => void this.#connect());
    if (this.#retryMs <= retryMs) this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs);
  }

  #receive(event: WatchEvent, end: (error?: unknown) => void): void {
    switch (event.type) {
      case "ERROR":
        this.#beginAnew(); // too old, or the server is confused
        return end();
      case "BOOKMARK":
        return this.#bookmark(event);
      default:
        if (!this.#listing) {
          this.#retryMs = firstRetryMs;
          this.#reported = undefined;
          this.#revision = event.object.metadata.resourceVersion;
        }
        if (event.type === "DELETED") this.#needs.listener.gone(event.object);
        else this.#needs.listener.present(event.object);
    }
  }

  #bookmark(event: { readonly resourceVersion: string; readonly initialEventsEnd: boolean }): void {
    if (this.#listing && !event.initialEventsEnd) return;
    this.#retryMs = firstRetryMs;
    this.#reported = undefined;
    this.#revision = event.resourceVersion;
    if (!this.#listing) return;
    this.#listing = false;
    this.#needs.listener.listed();
  }
}
