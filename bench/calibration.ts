import type { BenchRow } from "./bench-row.ts";

/** How fast this machine is right now, so that figures of different machines can be compared: rounds of a fixed loop per second. */
export function calibrate(): BenchRow {
  const started = performance.now();
  let rounds = 0;
  const object = { name: "calibration", values: Array.from({ length: 50 }, (_, index) => `value-${index}`) };
  while (performance.now() - started < 1_000) {
    JSON.parse(JSON.stringify(object));
    rounds++;
  }
  return { name: "calibration: JSON round trips of 0.7 KiB", value: rounds, unit: "1/s" };
}

interface RelatedFigure {
  readonly value: number;
  readonly unit: string;
  readonly roundsPerSecond: number;
}

const secondsIn: Readonly<Record<string, number>> = { s: 1, ms: 0.001 };

/**
 * A figure in terms of the calibration loop: a time as the thousands of rounds that fit into it, a rate as what there is of it in a
 * thousand rounds. Undefined for what does not depend on how fast the machine is.
 */
export function perCalibration({ value, unit, roundsPerSecond }: RelatedFigure): number | undefined {
  if (!Number.isFinite(value)) return undefined;
  const word = unit.replace(/^CPU /, "").replace(/ .*$/, "");
  if (secondsIn[word] !== undefined) return (value * secondsIn[word] * roundsPerSecond) / 1_000;
  return unit === "1/s" || unit === "a second" ? (value * 1_000) / roundsPerSecond : undefined;
}

/** A row with its ratio to the calibration loop, and those of its figures. */
export function related(row: BenchRow, roundsPerSecond: number) {
  const ratio = perCalibration({ value: row.value, unit: row.unit, roundsPerSecond });
  const ratios = Object.entries(row.figures ?? {}).flatMap(([unit, value]) => {
    const own = perCalibration({ value, unit, roundsPerSecond });
    return own === undefined ? [] : [[unit, own] as const];
  });
  return {
    ...row,
    ...(ratio !== undefined && { perCalibration: ratio }),
    ...(ratios.length > 0 && { figuresPerCalibration: Object.fromEntries(ratios) }),
  };
}
