import { cpus, totalmem } from "node:os";
import { boundHeapGrowth } from "#app/heap-growth.ts";
import { systemClock } from "#app/system.ts";
import { apiServerBenchmarks } from "./api-server.ts";
import type { BenchRow } from "./bench-row.ts";
import { realBenchmarks } from "./black-box/real-fleet.ts";
import { embeddedBenchmarks, outsideBenchmarks } from "./black-box/suites.ts";
import { type BenchFlags, readFlags } from "./flags.ts";
import { planBenchmarks } from "./plan.ts";
import { largePropagationBenchmarks, propagationBenchmarks } from "./propagation.ts";
import { scaleBenchmarks } from "./scale.ts";
import { schedulingBenchmarks } from "./scheduling.ts";
import { slopeBenchmarks } from "./slope.ts";
import { storeBenchmarks } from "./store.ts";

/** How fast this machine is right now, so that figures of different machines can be compared: rounds of a fixed loop per second. */
function calibrate(): BenchRow {
  const started = performance.now();
  let rounds = 0;
  const object = { name: "calibration", values: Array.from({ length: 50 }, (_, index) => `value-${index}`) };
  while (performance.now() - started < 1_000) {
    JSON.parse(JSON.stringify(object));
    rounds++;
  }
  return { name: "calibration: JSON round trips of 0.7 KiB", value: rounds, unit: "1/s" };
}

/** Too long to be run with the others: only where they are named. */
const longSuites: ReadonlySet<string> = new Set(["large", "scale", "plan", "embedded", "outside", "real", "slope"]);
const suites: Readonly<Record<string, (flags: BenchFlags) => Promise<readonly BenchRow[]>>> = {
  store: storeBenchmarks,
  api: apiServerBenchmarks,
  propagation: propagationBenchmarks,
  scheduling: schedulingBenchmarks,
  large: largePropagationBenchmarks,
  scale: scaleBenchmarks,
  plan: planBenchmarks,
  embedded: embeddedBenchmarks,
  outside: outsideBenchmarks,
  real: realBenchmarks,
  slope: slopeBenchmarks,
};

const flags = readFlags(process.argv.slice(2));
const { suites: wanted } = flags;
const unknown = wanted.find((name) => suites[name] === undefined);
if (unknown !== undefined) {
  console.error(
    `error: there is no benchmark called ${unknown}\nhint: choose from ${Object.keys(suites).join(", ")}, or none for all but ${[...longSuites].join(" and ")}`,
  );
  process.exit(2);
}
boundHeapGrowth(systemClock); // as the program does
const calibration = calibrate();
const rows: BenchRow[] = [calibration];
for (const [name, run] of Object.entries(suites)) {
  if (wanted.length === 0 ? longSuites.has(name) : !wanted.includes(name)) continue;
  console.error(`running ${name}…`);
  rows.push(...(await run(flags)));
}
const machine = {
  cpu: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};
if (flags.json) {
  const related = rows.map((row) => ({ ...row, perCalibration: row.value / calibration.value }));
  console.log(JSON.stringify({ machine, rows: related }, null, 2));
} else {
  console.log(`${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}\n`);
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, value, unit, note } of rows) {
    const digits = value >= 100 ? 0 : value >= 1 ? 2 : 4;
    console.log(
      `${name.padEnd(width)}  ${value.toLocaleString("en", { maximumFractionDigits: digits }).padStart(10)} ${unit.padEnd(4)}  ${note ?? ""}`,
    );
  }
}
process.exit(0);
