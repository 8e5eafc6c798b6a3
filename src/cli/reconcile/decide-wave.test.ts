import fc from "fast-check";
import { expect, test } from "vitest";
import { type Arrival, decideWave, type Journey, waveSize } from "./decide-wave.ts";

const there: Arrival = { is: "there" };
const underWay: Arrival = { is: "under way", waitsFor: "health in a" };
const failed: Arrival = { is: "failed", why: "no cluster fits" };

const rows: Readonly<
  Record<
    string,
    { given: readonly (readonly [string, number, Arrival])[]; stages?: number; size?: number; next: string }
  >
> = {
  "nothing is pending": { given: [], next: "finish" },
  "the first wave is as large as it may be": {
    given: [
      ["c", 0, there],
      ["a", 0, there],
      ["b", 0, there],
    ],
    size: 2,
    next: "ask 0: a, b",
  },
  "what is under way is waited for before the next wave": {
    given: [
      ["a", 1, there],
      ["b", 1, underWay],
      ["c", 0, there],
    ],
    next: "wait b",
  },
  "when a wave has arrived the next begins": {
    given: [
      ["a", 1, there],
      ["b", 1, there],
      ["c", 0, there],
    ],
    next: "ask 0: c",
  },
  "all has arrived": {
    given: [
      ["a", 1, there],
      ["b", 1, there],
    ],
    next: "finish",
  },
  "a failure stops everything, even what waits": {
    given: [
      ["a", 1, failed],
      ["b", 1, underWay],
      ["c", 0, there],
    ],
    next: "stop a",
  },
  "what nobody asked for cannot have failed": { given: [["a", 0, failed]], next: "ask 0: a" },
  "all pass the first cluster before any goes to the second": {
    given: [
      ["a", 1, there],
      ["b", 0, there],
    ],
    stages: 3,
    next: "ask 0: b",
  },
  "the second cluster follows in waves, too": {
    given: [
      ["a", 1, there],
      ["b", 1, there],
      ["c", 1, there],
    ],
    stages: 3,
    size: 2,
    next: "ask 1: a, b",
  },
  "a release that was interrupted goes on where it was": {
    given: [
      ["a", 2, there],
      ["b", 1, there],
    ],
    stages: 3,
    next: "ask 1: b",
  },
};

for (const [name, { given, stages = 1, size = 2, next }] of Object.entries(rows))
  test(name, () => {
    const journeys = given.map(([each, stagesAsked, arrival]): Journey => ({ name: each, stagesAsked, arrival }));
    expect(say(decideWave({ journeys, stages, size }))).toBe(next);
  });

test("whoever follows the steps, interrupted or not, brings all there, never more at once than allowed", () => {
  const world = fc.record({
    count: fc.integer({ min: 0, max: 12 }),
    stages: fc.integer({ min: 1, max: 4 }),
    size: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(world, fc.infiniteStream(fc.nat()), ({ count, stages, size }, dice) => {
      const journeys = new Map<string, Journey>(
        Array.from({ length: count }, (_, at) => [`t${at}`, { name: `t${at}`, stagesAsked: 0, arrival: there }]),
      );
      let asks = 0;
      for (;;) {
        const step = decideWave({ journeys: [...journeys.values()], stages, size });
        if (step.do === "finish") break;
        expect(step.do).not.toBe("stop");
        if (step.do === "ask")
          for (const name of step.names) {
            journeys.set(name, { name, stagesAsked: step.stage + 1, arrival: underWay });
            asks++;
          }
        if (step.do === "wait") {
          const name = step.names[dice.next().value! % step.names.length]!;
          journeys.set(name, { ...journeys.get(name)!, arrival: there });
        }
        expect([...journeys.values()].filter(({ arrival }) => arrival.is === "under way").length).toBeLessThanOrEqual(
          size,
        );
      }
      expect(asks).toBe(count * stages);
    }),
  );
});

test("a share of a wave is at least one", () => {
  expect([waveSize({ percent: 10 }, 5), waveSize({ percent: 50 }, 5), waveSize({ atOnce: 7 }, 5)]).toEqual([1, 2, 7]);
});

function say(step: ReturnType<typeof decideWave>): string {
  switch (step.do) {
    case "ask":
      return `ask ${step.stage}: ${step.names.join(", ")}`;
    case "wait":
      return `wait ${step.names.join(", ")}`;
    case "stop":
      return `stop ${step.failed.map(({ name }) => name).join(", ")}`;
    case "finish":
      return "finish";
  }
}
