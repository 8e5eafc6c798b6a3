import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ControllersProcess } from "./controllers-process.ts";
import { type Fault, FaultProxy, type SeenRequest } from "./fault-proxy.ts";
import type { KubeTheatre } from "./kube-theatre.ts";
import { leaderOf, type Rollout } from "./rollout.ts";

export interface ApiFaultsStage {
  readonly theatre: KubeTheatre;
  readonly rollout: Rollout;
  /** They stand aside meanwhile. */
  readonly replicas: readonly ControllersProcess[];
  readonly flags: readonly string[];
}

/** What goes wrong between controllers and the API server of the control plane while a rollout is under way. */
export function describeApiFaults(given: () => ApiFaultsStage): void {
  describe("between the controllers and the API server", () => {
    let proxy: FaultProxy;
    let behind: ControllersProcess;
    beforeAll(async () => {
      const { theatre, replicas, flags } = given();
      proxy = await FaultProxy.start(theatre.fleet.controlPlane);
      behind = new ControllersProcess(theatre.fleet, "behind", { server: proxy.url });
      for (const replica of replicas) await replica.stop();
      await behind.start(...flags);
      await leaderOf([behind]);
    });
    afterAll(async () => {
      const { replicas, flags } = given();
      await behind?.stop();
      for (const replica of replicas) await replica.start(...flags);
      await proxy?.[Symbol.asyncDispose]();
    });

    /** Rolls an image out while some requests meet faults; gives the requests that came meanwhile. */
    const rollOut = async (image: string, decide: FaultProxy["decide"]): Promise<readonly SeenRequest[]> => {
      const { rollout } = given();
      const since = proxy.seen.length;
      proxy.decide = decide;
      await rollout.start(image);
      await rollout.arrived(image);
      proxy.decide = () => undefined;
      const { count, members } = rollout;
      expect(rollout.doubled()).toEqual([]);
      expect(await rollout.size()).toEqual({ works: count * members.length, bindings: count });
      return proxy.seen.slice(since);
    };

    test("is asked for time by 429 and 503 with Retry-After: the rollout arrives, and nothing comes before its time", async () => {
      const every = new Turns();
      const seen = await rollOut("nginx:10", () => {
        if (every.turn("429", 100)) return { do: "refuse", code: 429, retryAfterSeconds: 1 };
        if (every.turn("503", 150)) return { do: "refuse", code: 503, retryAfterSeconds: 2 };
        return undefined;
      });
      const codes = seen.map(({ answer }) => answer?.code);
      expect([codes.includes(429), codes.includes(503)]).toEqual([true, true]);
      expect(hasty(seen)).toEqual([]);
    });

    test("loses requests, answers and streams, and gets pages of broken gateways: the rollout arrives", async () => {
      const every = new Turns();
      const watched = new Set(proxy.seen.filter(({ isWatch }) => isWatch).map(({ url }) => url.pathname));
      let cuts = 0;
      const seen = await rollOut("nginx:11", ({ isWatch }) => {
        if (every.turn("cut", 150)) {
          cuts = proxy.seen.length;
          proxy.cutStreams();
        }
        if (isWatch) return undefined;
        for (const [name, each, fault] of brokenWays) if (every.turn(name, each)) return fault;
        return undefined;
      });
      expect(cuts).toBeGreaterThan(0);
      const lost = seen.filter(({ answer, isWatch }) => answer === undefined && !isWatch);
      expect(lost.length).toBeGreaterThan(0);
      const again = new Set(seen.filter(({ isWatch }) => isWatch).map(({ url }) => url.pathname));
      expect([...watched].filter((path) => !again.has(path))).toEqual([]); // every stream came back
    });

    test("is refused by a kube-apiserver at its own limits: the rollout arrives", async () => {
      const { controlPlane } = given().theatre.fleet;
      await controlPlane.kill();
      await controlPlane.start(
        "--enable-priority-and-fairness=false",
        "--max-requests-inflight=6",
        "--max-mutating-requests-inflight=3",
      );
      const seen = await rollOut("nginx:12", () => undefined);
      expect(seen.filter(({ answer }) => answer?.code === 429).length).toBeGreaterThan(0);
      expect(hasty(seen)).toEqual([]);
      await controlPlane.kill();
      await controlPlane.start();
    });
  });
}

const brokenWays: readonly (readonly [string, number, Fault])[] = [
  ["lost request", 31, { do: "loseRequest" }],
  ["lost answer", 37, { do: "loseAnswer" }],
  ["500", 41, { do: "refuse", code: 500 }],
  ["502", 43, { do: "refuse", code: 502 }],
  ["503", 47, { do: "refuse", code: 503 }],
  ["504", 53, { do: "refuse", code: 504 }],
];

/** Says of every so many questions of a name that it is its turn. */
class Turns {
  readonly #asked = new Map<string, number>();

  turn(name: string, every: number): boolean {
    const asked = (this.#asked.get(name) ?? 0) + 1;
    this.#asked.set(name, asked);
    return asked % every === 0;
  }
}

/**
 * Requests that followed, on the same connection, one that was refused with Retry-After, before that time was over. Whoever sends the next
 * request over a connection has read the answer to the last one, however slow the machine is.
 */
function hasty(seen: readonly SeenRequest[]): readonly string[] {
  const last = new Map<number, SeenRequest>();
  return seen.flatMap((request) => {
    const { answer } = last.get(request.connection) ?? {};
    last.set(request.connection, request);
    if (answer?.retryAfterSeconds === undefined) return [];
    const earlyMs = answer.atMs + answer.retryAfterSeconds * 1_000 - request.atMs;
    return earlyMs > 0 ? [`${request.method} ${request.url.pathname} came ${earlyMs} ms early`] : [];
  });
}
