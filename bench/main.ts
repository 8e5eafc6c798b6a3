import { join } from "node:path";
import { boundHeapGrowth } from "#app/heap-growth.ts";
import { systemClock } from "#app/system.ts";
import type { benchSuites } from "#cli/bench.ts";
import { apiServerBenchmarks } from "./api-server.ts";
import { barBenchmarks } from "./bars.ts";
import type { BenchRow } from "./bench-row.ts";
import { realBenchmarks } from "./black-box/real-fleet.ts";
import { embeddedBenchmarks, outsideBenchmarks } from "./black-box/suites.ts";
import { calibrate, related } from "./calibration.ts";
import { type BenchFlags, readFlags } from "./flags.ts";
import { floorBenchmarks } from "./floor.ts";
import { holdBenchmarks } from "./hold.ts";
import { describeMachine } from "./machine.ts";
import { planBenchmarks } from "./plan.ts";
import { printTable } from "./print-table.ts";
import { largePropagationBenchmarks, propagationBenchmarks } from "./propagation.ts";
import { reportFolder, reportSuite, reportSuites } from "./report.ts";
import { scaleBenchmarks } from "./scale.ts";
import { schedulingBenchmarks } from "./scheduling.ts";
import { slopeBenchmarks } from "./slope.ts";
import { storeBenchmarks } from "./store.ts";

/** Too long to be run with the others: only where they are named. */
const longSuites: ReadonlySet<string> = new Set([
  "bars",
  "large",
  "scale",
  "hold",
  "plan",
  "embedded",
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
  large: largePropagationBenchmarks,
  scale: scaleBenchmarks,
  hold: holdBenchmarks,
  plan: planBenchmarks,
  embedded: embeddedBenchmarks,
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

/** Measures for docs/performance, only what is named or everything that is usual; a suite that fails is told and does not stop the others. */
async function report(): Promise<void> {
  const named = flags.suites.filter((name) => name !== "report");
  const plot = flags.plot ?? join(reportFolder, "cost.svg");
  const date = new Date().toISOString().slice(0, 10);
  for (const name of named.length > 0 ? named : reportSuites) {
    const { value: before } = calibrate();
    const failed = (error: unknown) => [{ name, value: Number.NaN, unit: "", note: `not measured: ${String(error)}` }];
    const rows = await run(name, { ...flags, plot }).catch(failed);
    reportSuite(name, { machine, date, calibration: [before, calibrate().value], rows }); // what is measured is not lost
  }
}

async function print(): Promise<void> {
  const calibration = calibrate();
  const rows: BenchRow[] = [calibration];
  for (const name of Object.keys(suites)) {
    if (flags.suites.length === 0 ? longSuites.has(name) : !flags.suites.includes(name)) continue;
    rows.push(...(await run(name, flags)));
  }
  if (flags.json)
    console.log(JSON.stringify({ machine, rows: rows.map((row) => related(row, calibration.value)) }, null, 2));
  else console.log(`${machine}\n\n${printTable(rows, calibration.value)}`);
}

function run(name: string, given: BenchFlags): Promise<readonly BenchRow[]> {
  console.error(`running ${name}…`);
  return suites[name]!(given); // the name was looked up
}
