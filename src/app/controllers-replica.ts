import { hostname } from "node:os";
import { createClient } from "#client/client.ts";
import type { HttpTransport } from "#client/http-transport.ts";
import { LeaderElection } from "#runtime/leader-election.ts";
import type { LeaderElectionNeeds, Term } from "#runtime/leading-term.ts";
import { openControlPlane, wireUser } from "./control-plane-access.ts";
import type { RunningPipeline } from "./pipeline.ts";
import { type ControllersNeeds, startControllers } from "./start-controllers.ts";

export interface ReplicaNeeds extends Omit<ControllersNeeds, "fence"> {
  /** How replicas find out which of them works; undefined: there is only this one. */
  readonly election: Pick<LeaderElectionNeeds, "lease" | "times"> | undefined;
}

/** After a start that failed. */
const restartMs = 2_000;

/**
 * One of several processes that can run the controllers, of which one does.
 *
 *   standing by ── leads ──▶ working ── told to stop ──▶ everything under way is finished, the lease is released
 *        ▲                      │
 *        └── lease lost: writes are refused from that moment on, the controllers end
 */
export class ControllersReplica implements AsyncDisposable {
  readonly #needs: ReplicaNeeds;
  readonly #transport: HttpTransport;
  readonly #election: LeaderElection | undefined;
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  #controllers: RunningPipeline | undefined;

  private constructor(needs: ReplicaNeeds, transport: HttpTransport) {
    this.#needs = needs;
    this.#transport = transport;
    const client = createClient({ transport, user: wireUser, manager: "flotilla" });
    const identity = `${hostname()}_${needs.random.uuid()}`;
    const { clock, election } = needs;
    const log = needs.log.child({ identity });
    this.#election = election && new LeaderElection({ client, clock, log, identity, ...election });
    this.#done = this.#serve();
  }

  /** Starts it; throws when there is no way to the API server to begin with. */
  static async start(needs: ReplicaNeeds): Promise<ControllersReplica> {
    // the lease is renewed over connections of its own: however busy the others are, and however slow an answer is
    const limits = { answerMs: (needs.election?.times.renewDeadlineMs ?? 10_000) / 2, maxPauseMs: 1_000 };
    return new ControllersReplica(needs, await openControlPlane({ ...needs, limits }));
  }

  /** What it is doing, for people. */
  get role(): "leading" | "standing by" {
    return this.#controllers === undefined ? "standing by" : "leading";
  }

  /** What keeps it from being of use now: a leader needs full caches, the others need to know that there is one. */
  unreadiness(): string | undefined {
    if (this.#stopping.signal.aborted) return "the process is stopping";
    const missing = this.#controllers?.waitsFor() ?? [];
    if (missing.length > 0) return `not filled yet: ${missing.join(", ")}`;
    if (this.#controllers === undefined && !this.#election?.holder) return "nobody is known to lead yet";
    return undefined;
  }

  /** Finishes what is under way, then lets another replica lead. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#done;
    this.#transport.close();
  }

  async #serve(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const term = await this.#lead(signal);
      if (term === undefined) return;
      await this.#work(term);
    }
  }

  async #lead(signal: AbortSignal): Promise<Term | undefined> {
    if (this.#election !== undefined) return this.#election.lead(signal);
    return { fence: { expectOpen() {} }, over: new AbortController().signal, release: async () => {} };
  }

  async #work(term: Term): Promise<void> {
    const { log, clock } = this.#needs;
    const end = AbortSignal.any([term.over, this.#stopping.signal]);
    try {
      log.info("leading");
      this.#controllers = await startControllers({ ...this.#needs, fence: term.fence }, end);
      if (!end.aborted)
        await new Promise<void>((resolve) => end.addEventListener("abort", () => resolve(), { once: true }));
      await this.#controllers[Symbol.asyncDispose]();
    } catch (error: unknown) {
      log.error("cannot start the controllers", { error });
      await new Promise<void>((resolve) => clock.after(restartMs, resolve));
    } finally {
      this.#controllers = undefined;
      await term.release();
      log.info("leading no more");
    }
  }
}
