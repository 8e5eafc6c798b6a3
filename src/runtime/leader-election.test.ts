import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Clock } from "#base/clock.ts";
import { silentLogger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { FencedError } from "#client/write-fence.ts";
import { openTestCluster, type TestCluster } from "#test/world/cluster.ts";
import { type Lease, leases } from "./decide-lease.ts";
import { LeaderElection } from "./leader-election.ts";
import { defaultLeaseTimes, type Term } from "./leading-term.ts";

const key = { namespace: "default", name: "leader" };
let world: TestCluster;
beforeEach(async () => {
  world = await openTestCluster();
});
afterEach(() => world[Symbol.asyncDispose]());

/** A process that can stand still: its timers do not fire meanwhile, its clocks go on. */
class Replica {
  readonly stopping = new AbortController();
  readonly terms: Term[] = [];
  isPaused = false;
  /** Whether what it writes arrives. */
  isCutOff = false;

  constructor(identity: string) {
    const clock: Clock = {
      nowMs: () => world.clock.nowMs(),
      elapsedMs: () => world.clock.elapsedMs(),
      after: (delayMs, callback) => world.clock.after(delayMs, () => this.#wake(callback)),
    };
    const client: Client = {
      ...world.client,
      update: (...call) => (this.isCutOff ? Promise.reject(new Error("cut off")) : world.client.update(...call)),
    };
    const needs = { client, clock, log: silentLogger, lease: key, identity, times: defaultLeaseTimes };
    void this.#serve(new LeaderElection(needs));
  }

  get term(): Term | undefined {
    return this.terms.at(-1);
  }

  get mayWrite(): boolean {
    try {
      this.term?.fence.expectOpen();
      return this.term !== undefined;
    } catch (error: unknown) {
      if (error instanceof FencedError) return false;
      throw error;
    }
  }

  #wake(callback: () => void): void {
    if (!this.isPaused) callback();
    else world.clock.after(100, () => this.#wake(callback));
  }

  async #serve(election: LeaderElection): Promise<void> {
    for (;;) {
      const term = await election.lead(this.stopping.signal);
      if (term === undefined) return;
      this.terms.push(term);
      await new Promise<void>((resolve) => term.over.addEventListener("abort", () => resolve(), { once: true }));
    }
  }
}

async function two(): Promise<[Replica, Replica]> {
  const first = new Replica("first");
  await world.clock.advance(100);
  const second = new Replica("second");
  await world.clock.advance(5_000);
  return [first, second];
}

async function holder(): Promise<string | undefined> {
  return ((await world.client.get(leases, key)) as Lease | undefined)?.spec?.holderIdentity;
}

describe("of two replicas", () => {
  test("one leads, and goes on doing so", async () => {
    const [first, second] = await two();
    await world.clock.advance(300_000);
    expect([first.terms.length, second.terms.length, first.mayWrite, second.mayWrite]).toEqual([1, 0, true, false]);
  });

  test("the other leads at once when the first steps down", async () => {
    const [first, second] = await two();
    first.stopping.abort();
    await first.term?.release();
    await world.clock.advance(500);
    expect([first.mayWrite, second.mayWrite, await holder()]).toEqual([false, true, "second"]);
  });

  test("the other leads within twenty seconds when the first dies, and never while the first may write", async () => {
    const [first, second] = await two();
    first.isPaused = true;
    let passedMs = 0;
    for (; !second.mayWrite && passedMs < 60_000; passedMs += 100) {
      await world.clock.advance(100);
      expect(first.mayWrite && second.mayWrite).toBe(false);
    }
    expect(passedMs).toBeLessThanOrEqual(20_000);
    expect(first.mayWrite).toBe(false);
  });

  test("the first, stopped for a while and gone on, writes nothing and stands by", async () => {
    const [first, second] = await two();
    first.isPaused = true;
    await world.clock.advance(30_000);
    expect(first.mayWrite).toBe(false);
    first.isPaused = false;
    await world.clock.advance(30_000);
    expect([first.mayWrite, first.terms.length, second.mayWrite]).toEqual([false, 1, true]);
  });

  test("the first stops writing before the second begins when its renewals do not arrive", async () => {
    const [first, second] = await two();
    first.isCutOff = true;
    for (let passedMs = 0; !second.mayWrite && passedMs < 60_000; passedMs += 100) {
      await world.clock.advance(100);
      expect(first.mayWrite && second.mayWrite).toBe(false);
    }
    expect([first.term?.over.aborted, second.mayWrite]).toEqual([true, true]);
  });

  test("the first writes nothing more when somebody takes its lease away", async () => {
    const [first] = await two();
    await world.client.patch(leases, key, { type: "merge", patch: { spec: { holderIdentity: "thief" } } });
    await world.clock.advance(200);
    expect([first.mayWrite, first.term?.over.aborted]).toEqual([false, true]);
  });

  test("the first writes nothing more when somebody deletes its lease", async () => {
    const [first] = await two();
    await world.client.delete(leases, key);
    await world.clock.advance(200);
    expect(first.terms[0]?.over.aborted).toBe(true);
  });

  test("a label on the lease takes nothing from its holder", async () => {
    const [first] = await two();
    await world.client.patch(leases, key, { type: "merge", patch: { metadata: { labels: { a: "b" } } } });
    await world.clock.advance(60_000);
    expect([first.mayWrite, first.terms.length]).toEqual([true, 1]);
  });
});

test("a lease that nobody took while its holder was away is taken up again", async () => {
  const only = new Replica("only");
  await world.clock.advance(100);
  only.isPaused = true;
  await world.clock.advance(60_000);
  only.isPaused = false;
  await world.clock.advance(5_000);
  expect([only.terms.length, only.mayWrite]).toEqual([2, true]);
});
