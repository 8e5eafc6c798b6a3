import type { BenchRow } from "../bench-row.ts";
import { until } from "../fleet-state.ts";
import { FleetView } from "./fleet-view.ts";
import type { MeasuredFleet } from "./measured-fleet.ts";
import { processFigures } from "./process-figures.ts";
import { countRequests, requestsBetween } from "./request-counts.ts";
import { type Scenario, scenarios, totalOf } from "./scenarios.ts";

export interface BlackBoxOptions {
  readonly templates: number;
  /** Names of scenarios. */
  readonly wanted: readonly string[];
  /** What is said of every figure: on what it was taken. */
  readonly label: string;
  /** Whether what scenarios made stays: where nobody collects what belongs to what was deleted. */
  readonly keeps?: boolean;
}

/** Asks a control plane for changes and waits until its members have them: nothing else is known of it. */
export async function runScenarios(fleet: MeasuredFleet, options: BlackBoxOptions): Promise<readonly BenchRow[]> {
  using view = await FleetView.open(fleet);
  const rows: BenchRow[] = [];
  for (const name of options.wanted) {
    const { changes, ...rest } = scenarios[name]!;
    const scenario = { ...rest, changes: options.keeps === true ? changes.slice(0, -1) : changes };
    rows.push(...(await runScenario(scenario, { fleet, view, options })));
  }
  return rows;
}

interface Surroundings {
  readonly fleet: MeasuredFleet;
  readonly view: FleetView;
  readonly options: BlackBoxOptions;
}

async function runScenario(scenario: Scenario, { fleet, view, options }: Surroundings): Promise<readonly BenchRow[]> {
  const load = scenario.load(options.templates);
  const total = totalOf(load);
  const members = fleet.members.map(({ name }) => name);
  const { client } = fleet.controlPlane;
  await scenario.prepare(client, load, members);
  await quiet(fleet);
  const rows: BenchRow[] = [];
  for (const { name, ask, arrived } of scenario.changes) {
    const before = await figures(fleet);
    const started = performance.now();
    await ask(client, load, members);
    await until(() => arrived(view, load), 600_000 + total * 500);
    const seconds = (performance.now() - started) / 1_000;
    await quiet(fleet); // reports of the change belong to what it costs
    const note = noteOf({ before, after: await figures(fleet), total, seconds });
    rows.push({
      name: `${options.label}, ${total.toLocaleString("en")} Deployments: ${name}`,
      value: seconds,
      unit: "s",
      note,
    });
  }
  return rows;
}

async function figures({ pids, controlPlane, members }: MeasuredFleet) {
  const [asked, askedOfMembers] = await Promise.all([countRequests([controlPlane]), countRequests(members)]);
  return { ...processFigures(pids), asked, askedOfMembers };
}

type Figures = Awaited<ReturnType<typeof figures>>;

interface Taken {
  readonly before: Figures;
  readonly after: Figures;
  readonly total: number;
  readonly seconds: number;
}

function noteOf({ before, after, total, seconds }: Taken): string {
  const parts = [`${(total / seconds).toFixed(0)} a second`];
  if (after.peakBytes > 0) {
    parts.push(`${(after.cpuSeconds - before.cpuSeconds).toFixed(1)} CPU s`);
    parts.push(`peak ${Math.round(after.peakBytes / 2 ** 20)} MB`);
  }
  const told = (where: string, from: Figures["asked"], to: Figures["asked"]) => {
    if (from === undefined || to === undefined) return;
    const { writes, byVerb } = requestsBetween(from, to);
    const verbs = [...byVerb].map(([verb, times]) => `${verb} ${times}`).join(" ");
    parts.push(`${where}: ${(writes / total).toFixed(1)} writes each (${verbs})`);
  };
  told("control plane", before.asked, after.asked);
  told("members", before.askedOfMembers, after.askedOfMembers);
  return parts.join(", ");
}

/** Until reports are no longer on their way: two seconds without a write, where servers count, else just the time. */
async function quiet({ controlPlane, members }: MeasuredFleet): Promise<void> {
  const clusters = [controlPlane, ...members];
  let last = await countRequests(clusters);
  for (let still = 0, rounds = 0; still < 4 && rounds < 240; rounds++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = await countRequests(clusters);
    const writes = last === undefined || now === undefined ? 0 : requestsBetween(last, now).writes;
    still = writes <= clusters.length ? still + 1 : 0; // members report on themselves now and then
    last = now;
  }
}
