import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import type { WriteFence } from "#client/write-fence.ts";
import { decideLease, type Lease, leases, releasedLease } from "./decide-lease.ts";
import { type LeaseFence, momentOf } from "./lease-fence.ts";
import { ResourceStream } from "./resource-stream.ts";

export interface LeaderElectionNeeds {
  /** Not fenced itself. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Who we are; no two replicas may be the same. */
  readonly identity: string;
  readonly times: LeaseTimes;
}

export interface LeaseTimes {
  /** How long others wait for a holder that does not renew. */
  readonly durationMs: number;
  /** How long a holder goes on without having renewed; shorter, so that it has stopped when others begin. */
  readonly renewDeadlineMs: number;
  /** How often the holder renews. */
  readonly retryMs: number;
}

export const defaultLeaseTimes: LeaseTimes = { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

/** The time from taking a lease to losing it. */
export interface Term {
  /** Open while we may write. */
  readonly fence: WriteFence;
  /** Aborted when the term is over, whyever. */
  readonly over: AbortSignal;
  /** Ends the term and lets the next one begin at once; nothing may be under way any more. */
  release(): Promise<void>;
}

/** A lease that was just taken. */
export interface Taken {
  readonly taken: Lease;
  readonly fence: LeaseFence;
}

/** Keeps a lease until it is released or lost. */
export class LeadingTerm implements Term {
  readonly fence: LeaseFence;
  readonly #needs: LeaderElectionNeeds & Taken;
  readonly #over = new AbortController();
  #lease: Lease;
  #cancel: () => void = () => {};
  #renewing: Promise<void> = Promise.resolve();

  constructor(needs: LeaderElectionNeeds & Taken) {
    this.#needs = needs;
    this.fence = needs.fence;
    this.#lease = needs.taken;
    const changed = (lease: Lease | undefined) => {
      if (lease?.spec?.holderIdentity !== needs.identity) this.#lose(`${holderOf(lease)} has taken it`);
    };
    followLease(needs, { changed, signal: this.over });
    this.#renewLater();
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  async release(): Promise<void> {
    if (this.over.aborted) return;
    this.#end();
    await this.#renewing;
    const { client, clock, log, lease } = this.#needs;
    try {
      await client.update(leases, { ...this.#lease, spec: releasedLease(this.#lease, clock.nowMs()) });
    } catch (error: unknown) {
      log.info("cannot release the lease", { lease, error }); // then it runs out
    }
  }

  /** The next renewal, or the end, whichever comes first. */
  #renewLater(): void {
    const { clock, times } = this.#needs;
    this.#cancel = clock.after(Math.min(times.retryMs, this.fence.leftMs), () => {
      this.#renewing = this.#renew();
    });
  }

  async #renew(): Promise<void> {
    const { log, lease, clock } = this.#needs;
    if (this.fence.leftMs <= 0) return this.#lose("it was not renewed in time");
    // a request that gets no answer must not keep the end from being noticed
    const cancel = clock.after(this.fence.leftMs, () => this.#lose("it was not renewed in time"));
    try {
      await this.#renewOnce();
    } catch (error: unknown) {
      if (error instanceof StolenError) return this.#lose(error.message);
      if (!this.over.aborted) log.error("cannot renew the lease", { lease, error });
    } finally {
      cancel();
    }
    if (!this.over.aborted) this.#renewLater();
  }

  async #renewOnce(): Promise<void> {
    const { client, clock, identity, times, lease } = this.#needs;
    const write = async (held: Lease) => {
      const sent = momentOf(clock);
      const decision = decideLease({ lease: held, unchangedMs: 0, identity, ...times, nowMs: sent.nowMs });
      if (decision.act !== "update") throw new StolenError(`${holderOf(held)} has taken it`);
      this.#lease = (await client.update(leases, { ...held, spec: decision.spec })) as Lease; // as sent
      this.fence.renew(sent, times.renewDeadlineMs);
    };
    try {
      await write(this.#lease);
    } catch (error: unknown) {
      if (!isTaken(error) && !isGone(error)) throw error;
      const present = (await client.get(leases, lease)) as Lease | undefined; // of that resource
      if (present?.spec?.holderIdentity !== identity) throw new StolenError(`${holderOf(present)} has taken it`);
      await write(present); // somebody wrote a label, or our own write had arrived
    }
  }

  #lose(reason: string): void {
    if (this.over.aborted) return;
    this.#needs.log.error("lost the lease", { lease: this.#needs.lease, reason });
    this.#end();
  }

  #end(): void {
    this.fence.close();
    this.#cancel();
    this.#over.abort();
  }
}

function holderOf(lease: Lease | undefined): string {
  return lease?.spec?.holderIdentity || "somebody";
}

function isGone(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "NotFound";
}

/** Somebody else holds the lease. */
class StolenError extends Error {}

/** Whether somebody else has written first. */
export function isTaken(error: unknown): boolean {
  return error instanceof StatusError && (error.reason === "Conflict" || error.reason === "AlreadyExists");
}

interface LeaseFollower {
  readonly changed: (lease: Lease | undefined) => void;
  readonly signal: AbortSignal;
}

/** Tells of every change of the lease as it happens. */
export function followLease(
  { client, clock, log, lease }: LeaderElectionNeeds,
  { changed, signal }: LeaseFollower,
): void {
  const listener = {
    listing() {},
    present: (object: Lease) => changed(object),
    gone: () => changed(undefined),
    listed() {},
  };
  const options = { namespace: lease.namespace, fieldSelector: `metadata.name=${lease.name}` };
  new ResourceStream({ client, clock, log, resource: leases, listener, options }).start(signal);
}
