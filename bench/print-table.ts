import type { BenchRow, Figures } from "./bench-row.ts";
import { perCalibration } from "./calibration.ts";

/** A figure with as many digits as it deserves; a dash where there is none. */
export function printFigure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–"; // JSON has null for what is no number
  return value.toLocaleString("en", { maximumFractionDigits: value >= 100 ? 0 : value >= 1 ? 2 : 4 });
}

/** Rows for a terminal: figure, its ratio to the calibration loop, note. */
export function printTable(rows: readonly BenchRow[], roundsPerSecond: number): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, value, unit, note }) => {
    const ratio = printFigure(perCalibration({ value, unit, roundsPerSecond }));
    return `${name.padEnd(width)}  ${printFigure(value).padStart(10)} ${unit.padEnd(5)} ${ratio.padStart(9)}  ${note ?? ""}`;
  });
  const head = `${"".padEnd(width)}  ${"".padStart(10)} ${"".padEnd(5)} ${"per loop".padStart(9)}`;
  return [head, ...lines].join("\n");
}

/** Rows as a table of Markdown. */
export function markdownTable(rows: readonly BenchRow[], roundsPerSecond: number): string {
  return [
    "| what | figure | | per loop | how |",
    "|---|---:|---|---:|---|",
    ...rows.map(({ name, value, unit, note }) => {
      const ratio = printFigure(perCalibration({ value, unit, roundsPerSecond }));
      return `| ${name} | ${printFigure(value)} | ${unit} | ${ratio} | ${note ?? ""} |`;
    }),
  ].join("\n");
}

const columns = [
  "a second",
  "s until all run and report",
  "CPU s",
  "CPU ms each",
  "MB at most",
  "control plane writes each",
  "members writes each",
];

/** Rows of the measurements from outside as a table of Markdown, one column for each figure that most have. */
export function scenarioTable(rows: readonly BenchRow[], roundsPerSecond: number): string {
  const restOf = (figures: Figures) =>
    Object.entries(figures)
      .filter(([name]) => !columns.includes(name))
      .map(([name, value]) => `${printFigure(value)} ${name.replace(/^control plane /, "").replace(/^members /, "m:")}`)
      .join(", ");
  return [
    `| what | figure | | per loop | ${columns.map((name) => name.replace("control plane", "c.p.")).join(" | ")} | else |`,
    `|---|---:|---|---:|${columns.map(() => "---:|").join("")}---|`,
    ...rows.map(({ name, value, unit, figures, note }) => {
      const ratio = printFigure(perCalibration({ value, unit, roundsPerSecond }));
      const cells = columns.map((column) => printFigure(figures?.[column]));
      const rest = figures === undefined ? (note ?? "") : restOf(figures);
      return `| ${name} | ${printFigure(value)} | ${unit} | ${ratio} | ${cells.join(" | ")} | ${rest} |`;
    }),
  ].join("\n");
}
