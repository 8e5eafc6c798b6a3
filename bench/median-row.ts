import type { BenchRow } from "./bench-row.ts";

/** The median of rounds, by time and by CPU, with the time of each of them told. */
export function medianRow(rounds: readonly BenchRow[]): BenchRow {
  const middle = rounds.length >> 1;
  const median = rounds.toSorted((a, b) => a.value - b.value)[middle]!;
  const cpu = rounds.map(({ figures }) => figures?.["CPU ms"] ?? 0).toSorted((a, b) => a - b)[middle]!;
  const times = rounds.map(({ value }) => value.toFixed(1)).join(", ");
  const note = `${cpu.toFixed(0)} ms of CPU; ${median.note ?? ""}; median of ${rounds.length}: ${times}`;
  return { ...median, note, figures: { ...median.figures, "CPU ms": cpu } };
}
