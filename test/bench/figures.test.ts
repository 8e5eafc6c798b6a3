import { expect, test } from "vitest";
import { usedBetween } from "#bench/black-box/process-figures.ts";
import { type RequestCounts, requestsBetween } from "#bench/black-box/request-counts.ts";
import { changeNames } from "#bench/black-box/scenarios.ts";
import { perCalibration, related } from "#bench/calibration.ts";
import { printFigure, scenarioTable } from "#bench/print-table.ts";
import { type CpuProfile, timeByStage } from "#bench/profile-stages.ts";

const counts = (asked: Record<string, number>, own: Record<string, number> = {}): RequestCounts => [
  { asked: new Map(Object.entries(asked)), own: new Map(Object.entries(own)) },
];

test("requests are counted without those of the benchmark itself", () => {
  const { writes, byVerb } = requestsBetween(counts({ POST: 10, GET: 5 }), counts({ POST: 30, GET: 6 }, { POST: 8 }));
  expect(writes).toBe(12);
  expect([...byVerb]).toEqual([
    ["POST", 12],
    ["GET", 1],
  ]);
});

test("a server that was started anew counts from zero", () => {
  const { byVerb, writes } = requestsBetween(counts({ POST: 100, LIST: 3 }), counts({ LIST: 7 }));
  expect([...byVerb]).toEqual([["LIST", 7]]);
  expect(writes).toBe(0);
});

test("a process that took the place of another counts as a whole", () => {
  const before = new Map([[1, { cpuSeconds: 50, peakBytes: 100 }]]);
  const after = new Map([[2, { cpuSeconds: 3, peakBytes: 70 }]]);
  expect(usedBetween(before, after)).toEqual({ cpuSeconds: 3, peakBytes: 70 });
});

test("times become rounds of the calibration loop, rates what there is in a thousand rounds, counts stay what they are", () => {
  const roundsPerSecond = 200_000;
  expect(perCalibration({ value: 2, unit: "s", roundsPerSecond })).toBe(400);
  expect(perCalibration({ value: 2, unit: "ms", roundsPerSecond })).toBe(0.4);
  expect(perCalibration({ value: 2, unit: "CPU s", roundsPerSecond })).toBe(400);
  expect(perCalibration({ value: 100, unit: "a second", roundsPerSecond })).toBe(0.5);
  expect(perCalibration({ value: 7, unit: "control plane writes each", roundsPerSecond })).toBeUndefined();
  expect(perCalibration({ value: Number.NaN, unit: "s", roundsPerSecond })).toBeUndefined();
});

test("what was not measured stays readable after a round trip through JSON", () => {
  const row = { name: "flap", value: Number.NaN, unit: "", note: "not measured: nobody knows why" };
  const read = JSON.parse(JSON.stringify(related(row, 1))) as typeof row;
  expect(printFigure(read.value)).toBe("–");
  expect(scenarioTable([read], 1)).toContain("not measured: nobody knows why");
});

test("every change has a name of its own", () => {
  expect(new Set(changeNames).size).toBe(changeNames.length);
});

test("time that no stage of ours spent is the engine's, and idle time is nobody's", () => {
  const frame = (functionName: string) => ({ functionName, url: "", lineNumber: 0 });
  const profile: CpuProfile = {
    nodes: [
      { id: 1, callFrame: frame("(root)"), children: [2, 3, 4] },
      { id: 2, callFrame: frame("(idle)") },
      { id: 3, callFrame: frame("(garbage collector)") },
      { id: 4, callFrame: frame("parse") },
    ],
    samples: [2, 3, 4, 3],
    timeDeltas: [5_000, 1_000, 2_000, 3_000],
  };
  expect([...timeByStage(profile)]).toEqual([
    ["garbage collection", 4],
    ["Node and the engine: native code, timers, promises", 2],
  ]);
});
