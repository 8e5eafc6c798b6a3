import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { boundHeapGrowth } from "#app/heap-growth.ts";
import { systemClock } from "#app/system.ts";
import type { benchSuites } from "#cli/bench.ts";
import { apiServerBenchmarks } from "./api-server.ts";
import { barBenchmarks } from "./bars.ts";
import type { BenchRow } from "./bench-row.ts";
import { realBenchmarks } from "./black-box/real-fleet.ts";
import { sizesBenchmarks } from "./black-box/sizes.ts";
import { embeddedBenchmarks, outsideBenchmarks } from "./black-box/suites.ts";
import { calibrate, related } from "./calibration.ts";
import { type BenchFlags, readFlags } from "./flags.ts";
import { floorBenchmarks } from "./floor.ts";
import { holdBenchmarks } from "./hold.ts";
import { describeMachine } from "./machine.ts";
import { planBenchmarks } from "./plan.ts";
import { printFigure, printTable } from "./print-table.ts";
import { describeBar, judge } from "./promises.ts";
import { propagationBenchmarks } from "./propagation.ts";
import { plotFiles, reportSuite, reportSuites } from "./report.ts";
import { scaleBenchmarks } from "./scale.ts";
import { schedulingBenchmarks } from "./scheduling.ts";
import { slopeBenchmarks } from "./slope.ts";
import { storeBenchmarks } from "./store.ts";

/** Too long to be run with the others: only where they are named. */
const longSuites: ReadonlySet<string> = new Set([
  "bars",
  "scale",
  "hold",
  "plan",
  "embedded",
  "sizes",
  "outside",
  "real",
  "slope",
  "floor",
]);
type Suite = (flags: BenchFlags) => Promise<readonly BenchRow[]>;
const ours = {
  store: storeBenchmarks,
  api: apiServerBenchmarks,
  scheduling: schedulingBenchmarks,
  propagation: propagationBenchmarks,
  bars: barBenchmarks,
  scale: scaleBenchmarks,
  hold: holdBenchmarks,
  plan: planBenchmarks,
  embedded: embeddedBenchmarks,
  sizes: sizesBenchmarks,
  outside: outsideBenchmarks,
  real: realBenchmarks,
  slope: slopeBenchmarks,
  floor: floorBenchmarks,
} satisfies Readonly<Record<keyof typeof benchSuites, Suite>>; // what `flotilla bench --help` names
const suites: Readonly<Record<string, Suite>> = ours;

const flags = readFlags(process.argv.slice(2));
const unknown = flags.suites.find((name) => suites[name] === undefined && name !== "report");
if (unknown !== undefined) {
  console.error(
    `error: there is no benchmark called ${unknown}\nhint: choose from ${Object.keys(suites).join(", ")}, report for all figures of docs/performance, or none for all but ${[...longSuites].join(" and ")}`,
  );
  process.exit(2);
}
boundHeapGrowth(systemClock); // as the program does
const machine = describeMachine();
if (flags.suites.includes("report")) await report();
else await print();
process.exit(0);

/** Measures for docs/performance, only what is named or everything, each suite in a process of its own: none weighs on the next. */
async function report(): Promise<void> {
  const named = flags.suites.filter((name) => name !== "report");
  const wanted = named.length > 0 ? named : reportSuites;
  const [first = "", ...others] = wanted;
  if (others.length === 0) return reportOne(first);
  const rest = process.argv.slice(2).filter((word) => !flags.suites.includes(word));
  const ended = wanted.map((name) => ({ name, status: spawnBench(["report", name, ...rest]) }));
  const failed = ended.filter(({ status }) => status !== 0).map(({ name }) => name);
  if (failed.length > 0) throw new Error(`cannot measure all: ${failed.join(", ")} ended before their time`);
}

function spawnBench(words: readonly string[]): number | null {
  const program = fileURLToPath(import.meta.url);
  return spawnSync(process.execPath, [...process.execArgv, program, ...words], { stdio: "inherit" }).status;
}

/** A suite that fails is told in its table. */
async function reportOne(name: string): Promise<void> {
  const plot = flags.plot ?? plotFiles[name];
  const date = new Date().toISOString().slice(0, 10);
  const { value: before } = calibrate();
  let found: readonly BenchRow[] = [];
  const write = (rows: readonly BenchRow[]) => {
    found = rows;
    reportSuite(name, { machine, date, calibration: [before, calibrate().value], rows });
  };
  const failed = (error: unknown) => {
    console.error(error);
    return [...found, { name, value: Number.NaN, unit: "", note: `not measured: ${String(error)}` }];
  };
  write(await run(name, { ...flags, plot, soFar: write }).catch(failed));
  tellMissed({ [name]: found });
}

async function print(): Promise<void> {
  const calibration = calibrate();
  const found: Record<string, readonly BenchRow[]> = {};
  for (const name of Object.keys(suites)) {
    if (flags.suites.length === 0 ? longSuites.has(name) : !flags.suites.includes(name)) continue;
    found[name] = await run(name, flags);
  }
  const rows = [calibration, ...Object.values(found).flat()];
  if (flags.json)
    console.log(JSON.stringify({ machine, rows: rows.map((row) => related(row, calibration.value)) }, null, 2));
  else console.log(`${machine}\n\n${printTable(rows, calibration.value)}`);
  tellMissed(found);
}

/** What was measured and does not keep what is promised of it is said last, where it is seen. */
function tellMissed(found: Readonly<Record<string, readonly BenchRow[]>>): void {
  const judged = judge(found).filter(({ measured }) => measured !== undefined);
  for (const each of judged.filter(({ kept }) => !kept))
    console.error(`not kept: ${each.what}: ${printFigure(each.measured)} (${describeBar(each)})`);
}

function run(name: string, given: BenchFlags): Promise<readonly BenchRow[]> {
  console.error(`running ${name}…`);
  return suites[name]!(given); // the name was looked up
}
