import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, printKey } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { inParallel } from "#housekeeping/in-parallel.ts";
import { events } from "#housekeeping/resource-ids.ts";
import { ResourceStream } from "#runtime/resource-stream.ts";
import { ExpiryBuckets } from "./expiry-buckets.ts";
import { lastWrittenMs } from "./last-written.ts";

export interface EventExpiryOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long an event is kept after it was last written. */
  readonly keepMs: number;
}

const bucketsPerLife = 60;

/** Deletes events some time after they were last written. Keeps their names and one timer, and looks at none of them twice. */
export class EventExpiry {
  readonly #options: EventExpiryOptions;
  readonly #widthMs: number;
  readonly #buckets: ExpiryBuckets;
  readonly #stream: ResourceStream;
  #listing = true;
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;
  #work: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: EventExpiryOptions) {
    this.#options = options;
    this.#widthMs = Math.max(1, Math.floor(options.keepMs / bucketsPerLife));
    this.#buckets = new ExpiryBuckets(this.#widthMs);
    this.#stream = new ResourceStream({
      ...options,
      resource: events,
      listener: {
        listing: () => {
          this.#listing = true;
        },
        present: (event) => this.#keep(event),
        gone: (event) => this.#buckets.remove(nameOf(event)),
        listed: () => {
          this.#listing = false;
          this.#arm();
        },
      },
    });
  }

  start(signal: AbortSignal): void {
    signal.addEventListener(
      "abort",
      () => {
        this.#stopped = true;
        this.#timer?.cancel();
      },
      { once: true },
    );
    this.#stream.start(signal);
  }

  /** Resolves when no deletion is under way. */
  whenIdle(): Promise<void> {
    return this.#work;
  }

  /** In a listing only the event itself can say when it was written; otherwise it was now. */
  #keep(event: ApiObject): void {
    const { clock, keepMs } = this.#options;
    const nowMs = clock.nowMs();
    const sinceMs = this.#listing ? Math.min(nowMs, lastWrittenMs(event)) : nowMs;
    this.#buckets.put(nameOf(event), sinceMs + keepMs);
    if (!this.#listing) this.#arm();
  }

  #arm(): void {
    const dueMs = this.#buckets.nextMs();
    if (dueMs === undefined || this.#stopped) return;
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#timer?.cancel();
    const cancel = this.#options.clock.after(dueMs - this.#options.clock.nowMs(), () => {
      this.#timer = undefined;
      this.#work = this.#expire();
    });
    this.#timer = { dueMs, cancel };
  }

  async #expire(): Promise<void> {
    const { client, clock, log } = this.#options;
    const due = this.#buckets.takeDue(clock.nowMs());
    const failures = await inParallel(due, (name) => {
      const [namespace = "", event = "", uid = ""] = name.split("/");
      return client.delete(events, { namespace, name: event }, { preconditions: { uid } });
    });
    for (const { item, error } of failures) {
      log.error("cannot delete an event", { key: item, error });
      this.#buckets.put(item, clock.nowMs() + this.#widthMs);
    }
    this.#arm();
  }
}

/** Another event of the same name has a life of its own. */
function nameOf(event: ApiObject): string {
  return `${printKey(keyOf(event))}/${event.metadata.uid}`;
}
