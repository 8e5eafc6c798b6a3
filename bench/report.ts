import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchRow } from "./bench-row.ts";
import { related } from "./calibration.ts";
import { markdownTable, printFigure, scenarioTable } from "./print-table.ts";
import { describeBar, judge } from "./promises.ts";

/** Where everything is written that is made by measuring. */
const reportFolder = join("docs", "performance");

/** What a suite found, and on what. */
export interface MeasuredSuite {
  readonly machine: string;
  readonly date: string;
  /** Rounds of the calibration loop a second, right before and after: far from one another, the machine did something else meanwhile. */
  readonly calibration: readonly [before: number, after: number];
  readonly rows: readonly BenchRow[];
}

const titles: Readonly<Record<string, string>> = {
  bars: "A fleet in one process, each in a process of its own",
  store: "The store",
  api: "The API server",
  scheduling: "Scheduling decisions",
  propagation: "A fleet in one process",
  sizes: "Measured from outside: embedded, in fleets of growing size",
  real: "Measured from outside: kube-apiserver",
  slope: "Small changes in fleets of growing size",
  floor: "Reality and the floor",
  scale: "Changes and a restart among 100,000 templates",
  plan: "Plans in a large fleet",
  hold: "The memory of a very large fleet",
};

/** The suites of a report, in the order in which they are measured. */
export const reportSuites: readonly string[] = Object.keys(titles);

/** Where suites draw what they found; more than one plot of a suite is told apart by what follows the name. */
export const plotFiles: Readonly<Record<string, string>> = {
  slope: join(reportFolder, "cost.svg"),
  sizes: join(reportFolder, "sizes.svg"),
};

/** What is shown before the table of a suite. */
const plots: Readonly<Record<string, readonly string[]>> = {
  slope: [
    "![What a small change costs in time](cost.svg)",
    "![What a small change costs in CPU time](cost-cpu.svg)",
    "",
  ],
  sizes: [
    "![What a change of all costs for each template](sizes.svg)",
    "![What a change of all costs for each copy](sizes-members.svg)",
    "",
  ],
};

/** Suites whose rows have figures of their own in columns. */
const scenarioSuites: ReadonlySet<string> = new Set(["sizes", "real"]);

const dataFile = join(reportFolder, "results.json");
type Results = Readonly<Record<string, MeasuredSuite>>;

/** Writes what a suite found beside what others did, on this run or earlier: the figures as JSON, tables, and where time goes. */
export function reportSuite(name: string, measured: MeasuredSuite): void {
  const known = readResults();
  const rows = measured.rows.map((row) => related(row, measured.calibration[0]));
  const all: Results = { ...known, [name]: measured };
  writeFileSync(dataFile, `${JSON.stringify({ ...known, [name]: { ...measured, rows } }, null, 1)}\n`);
  writeFileSync(join(reportFolder, "results.md"), renderResults(all));
  if (name === "floor") putStages(measured.rows);
}

/** What was measured before, by suites that there still are. */
function readResults(): Results {
  if (!existsSync(dataFile)) return {};
  const found = Object.entries(JSON.parse(readFileSync(dataFile, "utf8")) as Results); // as written above
  return Object.fromEntries(found.filter(([name]) => titles[name] !== undefined));
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
    ...renderPromises(results),
    ...parts,
  ].join("\n");
}

/** What is promised, held against the newest figure of its suite. */
function renderPromises(results: Results): readonly string[] {
  const found = Object.fromEntries(Object.entries(results).map(([name, { rows }]) => [name, rows]));
  return [
    "## What is promised, and what was measured",
    "",
    "| promise | bar | measured | kept | suite |",
    "|---|---|---:|---|---|",
    ...judge(found).map(
      (each) =>
        `| ${each.what} | ${describeBar(each)} | ${printFigure(each.measured)} | ${each.kept ? "yes" : "**no**"} | \`${each.suite}\` |`,
    ),
    "",
  ];
}

function renderSuite(name: string, { machine, date, calibration: [before, after], rows }: MeasuredSuite): string {
  return [
    `## ${titles[name]}`,
    "",
    `${machine}; ${date}; calibration loop: ${printFigure(before)} rounds a second before, ${printFigure(after)} after.`,
    "",
    ...(plots[name] ?? []),
    scenarioSuites.has(name) ? scenarioTable(rows, before) : markdownTable(rows, before),
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
