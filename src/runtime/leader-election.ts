import { decideLease, type Lease, leases } from "./decide-lease.ts";
import { followLease, isTaken, type LeaderElectionNeeds, LeadingTerm, type Taken, type Term } from "./leading-term.ts";
import { LeaseFence, momentOf } from "./lease-fence.ts";

/**
 * Elects one leader among replicas by a Lease, as client-go does and compatible with it.
 *
 *   standing by ── free, or not renewed for its duration ──▶ leading ── renewed every retryMs ──▶ leading
 *        ▲                                                     │
 *        └──── not renewed for renewDeadlineMs, or taken ◀─────┘
 */
export class LeaderElection {
  readonly #needs: LeaderElectionNeeds;
  /** The lease as it was seen last, and since when it has been so. */
  #seen: { readonly lease: Lease | undefined; readonly sinceMs: number } | undefined;
  #wake: () => void = () => {};
  /** Something happened since the last look. */
  #hasChanged = false;

  constructor(needs: LeaderElectionNeeds) {
    this.#needs = needs;
  }

  /** Who leads, as far as we have seen. */
  get holder(): string | undefined {
    return this.#seen?.lease?.spec?.holderIdentity;
  }

  /** Stands by until this replica leads; undefined when the signal ended it before. */
  async lead(signal: AbortSignal): Promise<Term | undefined> {
    const { clock, log, lease, times } = this.#needs;
    const watching = new AbortController();
    const look = () => {
      this.#hasChanged = true;
      this.#wake();
    };
    followLease(this.#needs, { changed: look, signal: AbortSignal.any([signal, watching.signal]) });
    signal.addEventListener("abort", look, { signal: watching.signal });
    try {
      while (!signal.aborted) {
        this.#hasChanged = false;
        const outcome = await this.#tryOnce().catch((error: unknown) => {
          log.error("cannot look at the lease", { lease, error });
          return times.retryMs;
        });
        if (typeof outcome !== "number") return new LeadingTerm({ ...this.#needs, ...outcome });
        if (this.#hasChanged) continue;
        await new Promise<void>((resolve) => {
          const cancel = clock.after(outcome, resolve);
          this.#wake = () => {
            cancel();
            resolve();
          };
        });
      }
      return undefined;
    } finally {
      watching.abort();
      this.#wake = () => {};
    }
  }

  /** The lease that we have taken, or how long to wait. Reads it anew: what a stream has told may be old. */
  async #tryOnce(): Promise<Taken | number> {
    const { client, clock, lease, identity, times } = this.#needs;
    const present = (await client.get(leases, lease)) as Lease | undefined; // of that resource
    const sinceMs = this.#see(present);
    const sent = momentOf(clock);
    const facts = { lease: present, unchangedMs: sent.elapsedMs - sinceMs, identity, ...times, nowMs: sent.nowMs };
    const decision = decideLease(facts);
    if (decision.act === "wait") return decision.forMs;
    try {
      const written =
        present === undefined
          ? await client.create(leases, { ...emptyLease(lease), spec: decision.spec })
          : await client.update(leases, { ...present, spec: decision.spec });
      const fence = new LeaseFence(clock, { ...sent, forMs: times.renewDeadlineMs });
      return { taken: written as Lease, fence }; // as sent
    } catch (error: unknown) {
      if (isTaken(error)) return 0; // somebody was quicker: look again
      throw error;
    }
  }

  /** Since when the lease has been as it is. */
  #see(lease: Lease | undefined): number {
    const version = (each: Lease | undefined) => each?.metadata.resourceVersion;
    if (this.#seen === undefined || version(this.#seen.lease) !== version(lease))
      this.#seen = { lease, sinceMs: this.#needs.clock.elapsedMs() };
    return this.#seen.sinceMs;
  }
}

function emptyLease(metadata: LeaderElectionNeeds["lease"]) {
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata };
}
