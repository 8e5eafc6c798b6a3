import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchRow } from "./bench-row.ts";
import { related } from "./calibration.ts";
import { markdownTable, printFigure, scenarioTable } from "./print-table.ts";

/** Where everything is written that is made by measuring. */
export const reportFolder = join("docs", "performance");

/** What a suite found, and on what. */
export interface MeasuredSuite {
  readonly machine: string;
  readonly date: string;
  /** Rounds of the calibration loop a second, right before and after: far from one another, the machine did something else meanwhile. */
  readonly calibration: readonly [before: number, after: number];
  readonly rows: readonly BenchRow[];
}

const titles: Readonly<Record<string, string>> = {
  bars: "What is promised",
  store: "The store",
  api: "The API server",
  scheduling: "Scheduling decisions",
  propagation: "A fleet in one process",
  embedded: "Measured from outside: embedded",
  real: "Measured from outside: kube-apiserver",
  slope: "Small changes in fleets of growing size",
  floor: "Reality and the floor",
  large: "Ten times as large",
  scale: "A hundred times as large",
  hold: "The memory of a very large fleet",
  plan: "Plans in a large fleet",
};

/** What takes long, or needs kube-apiservers: in a report only where it is named. */
const seldom: ReadonlySet<string> = new Set(["real", "large", "scale", "hold", "plan"]);

/** The suites that a report has unless others are named; all of them take about twenty minutes. */
export const reportSuites: readonly string[] = Object.keys(titles).filter((name) => !seldom.has(name));

const dataFile = join(reportFolder, "results.json");
type Results = Readonly<Record<string, MeasuredSuite>>;

/** Writes what a suite found beside what others did, on this run or earlier: the figures as JSON, tables, and where time goes. */
export function reportSuite(name: string, measured: MeasuredSuite): void {
  // as written below
  const known = existsSync(dataFile) ? (JSON.parse(readFileSync(dataFile, "utf8")) as Results) : {};
  const rows = measured.rows.map((row) => related(row, measured.calibration[0]));
  const all: Results = { ...known, [name]: measured };
  writeFileSync(dataFile, `${JSON.stringify({ ...known, [name]: { ...measured, rows } }, null, 1)}\n`);
  writeFileSync(join(reportFolder, "results.md"), renderResults(all));
  if (name === "floor") putStages(measured.rows);
}

function renderResults(results: Results): string {
  const parts = Object.keys(titles)
    .filter((name) => results[name] !== undefined)
    .map((name) => renderSuite(name, results[name]!)); // filtered above
  return [
    "# Results",
    "",
    "Written by `npm run bench -- report`; do not edit. What the figures mean, and how to take them: [README](README.md).",
    "`per loop` is a time in thousands of rounds of the calibration loop of the same run, or what there is of a rate in a thousand rounds.",
    "",
    ...parts,
  ].join("\n");
}

function renderSuite(name: string, { machine, date, calibration: [before, after], rows }: MeasuredSuite): string {
  const isScenario = name === "embedded" || name === "real";
  const plots =
    name === "slope"
      ? ["![What a small change costs in time](cost.svg)", "![What a small change costs in CPU time](cost-cpu.svg)", ""]
      : [];
  return [
    `## ${titles[name]}`,
    "",
    `${machine}; ${date}; calibration loop: ${printFigure(before)} rounds a second before, ${printFigure(after)} after.`,
    "",
    ...plots,
    isScenario ? scenarioTable(rows, before) : markdownTable(rows, before),
    "",
  ].join("\n");
}

const page = join(reportFolder, "where-time-goes.md");
const begins = "<!-- measured: begins -->";
const ends = "<!-- measured: ends -->";

/** Replaces the tables on the page about where time goes. */
function putStages(rows: readonly BenchRow[]): void {
  const short = (row: BenchRow) => ({ ...row, name: row.name.replace(/^.*?: (?:stage: )?/, "") });
  const isStage = ({ name }: BenchRow) => name.includes(": stage: ");
  const table = (title: string, list: readonly BenchRow[]) => [
    `| ${title} | | | |`,
    "|---|---:|---|---|",
    ...list
      .map(short)
      .map(({ name, value, unit, note }) => `| ${name} | ${printFigure(value)} | ${unit} | ${note ?? ""} |`),
    "",
  ];
  const about = rows[0]?.name.replace(/: .*$/, "") ?? "";
  const block = [
    begins,
    "",
    ...table(
      about,
      rows.filter((row) => !isStage(row)),
    ),
    ...table("stage", rows.filter(isStage)),
    ends,
  ].join("\n");
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(begins), text.indexOf(ends)];
  if (from < 0 || to < from) throw new Error(`cannot find the place of the tables in ${page}`);
  writeFileSync(page, text.slice(0, from) + block + text.slice(to + ends.length));
}
