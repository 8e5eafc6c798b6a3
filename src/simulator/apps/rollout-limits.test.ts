import { expect, test } from "vitest";
import { rolloutLimits } from "./rollout-limits.ts";

const rows: readonly (readonly [
  replicas: number,
  surge: unknown,
  unavailable: unknown,
  expected: readonly number[],
])[] = [
  [4, "25%", "25%", [1, 1]],
  [3, "25%", "25%", [1, 0]],
  [1, "25%", "25%", [1, 0]],
  [10, 0, 0, [0, 1]],
  [10, 0, "5%", [0, 1]],
  [2, 5, 7, [5, 2]],
];
for (const [replicas, maxSurge, maxUnavailable, [surge, unavailable]] of rows) {
  test(`${replicas} replicas with surge ${maxSurge} and unavailable ${maxUnavailable}`, () => {
    const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } };
    expect(rolloutLimits({ replicas, strategy })).toEqual({ surge, unavailable });
  });
}
