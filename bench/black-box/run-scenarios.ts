import { type BenchRow, describeFigures, type Figures } from "../bench-row.ts";
import { Profiles } from "../profiler.ts";
import { FleetView } from "./fleet-view.ts";
import type { MeasuredFleet } from "./measured-fleet.ts";
import { forgetPeaks, machineCpuSeconds, processFigures, usedBetween } from "./process-figures.ts";
import { countRequests, requestsBetween, requestsByResource } from "./request-counts.ts";
import { type Change, type Scenario, type Stage, totalOf, untilArrived } from "./scenario.ts";
import { removal, scenarios } from "./scenarios.ts";

export interface BlackBoxOptions {
  readonly templates: number;
  /** Names of changes. */
  readonly wanted: readonly string[];
  /** What is said of every figure: on what it was taken. */
  readonly label: string;
  /** Whether each server's requests are told by verb, resource and code, too. */
  readonly requests?: boolean;
  /** The folder for profiles. */
  readonly profile: string | undefined;
}

/** Asks a control plane for changes and waits until its members have them: nothing else is known of it. */
export async function runScenarios(fleet: MeasuredFleet, options: BlackBoxOptions): Promise<readonly BenchRow[]> {
  using view = await FleetView.open(fleet);
  const { profiler } = fleet.surroundings;
  const profiles = new Profiles(profiler === undefined ? undefined : options.profile, profiler);
  const rows: BenchRow[] = [];
  const wanted = scenarios.filter(({ changes }) => Object.keys(changes).some((name) => options.wanted.includes(name)));
  for (const scenario of wanted) {
    const isLast = fleet.surroundings.isPassing === true && scenario === wanted.at(-1);
    rows.push(...(await runScenario(scenario, { fleet, view, options, profiles, isLast })));
  }
  await profiles.heap(`${options.label} at the end`);
  return rows;
}

interface Run {
  readonly fleet: MeasuredFleet;
  readonly view: FleetView;
  readonly options: BlackBoxOptions;
  readonly profiles: Profiles;
  /** Whether nothing comes after it. */
  readonly isLast: boolean;
}

/** The wanted changes of a scenario; those before them are done, too, and not told. */
async function runScenario(scenario: Scenario, run: Run): Promise<readonly BenchRow[]> {
  const { fleet, view, options } = run;
  const names = Object.keys(scenario.changes);
  const last = names.findLastIndex((name) => options.wanted.includes(name));
  const load = scenario.load(options.templates);
  const members = fleet.members.map(({ name }) => name);
  const stage: Stage = { client: fleet.controlPlane.client, load, members, view, fleet };
  const label = `${options.label}, ${totalOf(load).toLocaleString("en")} Deployments`;
  const rows: BenchRow[] = [];
  await scenario.prepare(stage);
  await quiet(fleet);
  for (const name of names.slice(0, last + 1)) {
    const change = scenario.changes[name]!;
    const isWanted = options.wanted.includes(name);
    if (!isWanted && standsAlone(change)) continue;
    const before = options.requests ? await requestsOfEach(fleet) : [];
    const tell = async (when: string) =>
      options.requests && console.error(`${name}, ${when}:\n${describeRequests(before, await requestsOfEach(fleet))}`);
    const arrived = () => tell("until it has arrived");
    const row = await runChange(change, { stage, label, profiles: run.profiles, arrived });
    if (isWanted) rows.push({ ...row, scenario: name });
    console.error(`${row.name}: ${row.value.toFixed(2)} ${row.unit} (${row.note})`); // whatever becomes of the rest
    await tell("in all");
    if (change !== removal) continue;
    return rows;
  }
  if (run.isLast) return rows;
  await remove(stage).catch((error: unknown) => console.error(`cannot clear up after ${label}: ${String(error)}`));
  return rows;
}

async function requestsOfEach({ controlPlane, members }: MeasuredFleet) {
  const all = [controlPlane, ...members];
  return Promise.all(all.map(async (each) => ({ name: each.name, counts: await requestsByResource(each) })));
}

type Requests = Awaited<ReturnType<typeof requestsOfEach>>;

/** What was asked of each server in between, this benchmark's own requests included, the most frequent first. */
function describeRequests(before: Requests, after: Requests): string {
  const lines = after.flatMap(({ name, counts }, index) => {
    const since = [...counts].map(([what, times]) => [what, times - (before[index]?.counts.get(what) ?? 0)] as const);
    const told = since.filter(([, times]) => times > 0).toSorted(([, a], [, b]) => b - a);
    return [`  ${name}:`, ...told.map(([what, times]) => `    ${times} × ${what}`)];
  });
  return lines.join("\n");
}

/** Whether what comes after does not build on it. */
function standsAlone({ arrived }: Change): boolean {
  return arrived === undefined;
}

async function remove(stage: Stage): Promise<void> {
  await using _ = await stage.fleet.surroundings.collectGarbage?.();
  await removal.ask(stage);
  await untilArrived(stage, () => removal.arrived?.(stage) !== false);
  await quiet(stage.fleet);
}

interface ChangeRun {
  readonly stage: Stage;
  readonly label: string;
  readonly profiles: Profiles;
  /** Called when the change has arrived, before its reports have. */
  readonly arrived: () => Promise<unknown>;
}

async function runChange(change: Change, { stage, label, profiles, arrived }: ChangeRun): Promise<BenchRow> {
  const name = `${label}: ${change.title}`;
  const refused = (why: string) => ({ name, value: Number.NaN, unit: "", note: `not measured: ${why}` });
  const refusal = change.refusal?.(stage.fleet);
  if (refusal !== undefined) return refused(refusal);
  try {
    return { name, ...(await profiles.during(name, () => measure(change, stage, arrived))) };
  } catch (error: unknown) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

async function measure(change: Change, stage: Stage, arrived: ChangeRun["arrived"]): Promise<Omit<BenchRow, "name">> {
  const { fleet, load } = stage;
  await using _ = change === removal ? await fleet.surroundings.collectGarbage?.() : undefined;
  forgetPeaks(fleet.surroundings.pids());
  const before = await countersOf(fleet);
  const started = performance.now();
  const own = await change.ask(stage);
  await untilArrived(stage, () => change.arrived?.(stage) !== false);
  const seconds = (performance.now() - started) / 1_000;
  const untilThen = cpuUntilArrival(before, fleet);
  await arrived();
  const reported = await untilReported(change, stage, started);
  await quiet(fleet); // reports of the change belong to what it costs
  const concerned = change.concerns?.(load) ?? totalOf(load);
  const figures: Figures = {
    ...(own === undefined && { "a second": concerned / seconds }),
    ...own?.figures,
    ...untilThen,
    ...reported,
    ...figuresBetween(before, await countersOf(fleet), concerned),
  };
  return { value: own?.value ?? seconds, unit: own?.unit ?? "s", figures, note: describeFigures(figures) };
}

async function untilReported(change: Change, stage: Stage, started: number): Promise<Figures> {
  if (change.reported === undefined || !stage.fleet.surroundings.runsWorkloads) return {};
  await untilArrived(stage, () => change.reported?.(stage) !== false);
  return { "s until all run and report": (performance.now() - started) / 1_000 };
}

async function countersOf({ surroundings, controlPlane, members }: MeasuredFleet) {
  const [asked, askedOfMembers] = await Promise.all([countRequests([controlPlane]), countRequests(members)]);
  const told = surroundings.told?.() ?? {};
  return {
    used: processFigures(surroundings.pids()),
    machine: machineCpuSeconds(),
    told,
    each: processFigures(Object.values(told)),
    asked,
    askedOfMembers,
  };
}

type Counters = Awaited<ReturnType<typeof countersOf>>;

function figuresBetween(before: Counters, after: Counters, concerned: number): Figures {
  const { cpuSeconds, peakBytes } = usedBetween(before.used, after.used);
  const requests = (where: string, from: Counters["asked"], to: Counters["asked"]): Figures => {
    if (from === undefined || to === undefined) return {};
    const { writes, byVerb } = requestsBetween(from, to);
    const verbs = [...byVerb].map(([verb, times]) => [`${where} ${verb}`, times] as const);
    return { [`${where} writes each`]: writes / concerned, ...Object.fromEntries(verbs) };
  };
  return {
    ...(peakBytes > 0 && {
      "CPU s": cpuSeconds,
      "CPU ms each": (cpuSeconds * 1_000) / concerned,
      "MB at most": peakBytes / 2 ** 20,
    }),
    ...figuresOfEach(before, after),
    ...requests("control plane", before.asked, after.asked),
    ...requests("members", before.askedOfMembers, after.askedOfMembers),
  };
}

/** Who kept the machine busy until the change had arrived, others' programs included: that bounds how soon it arrives. */
function cpuUntilArrival(before: Counters, { surroundings }: MeasuredFleet): Figures {
  const told = surroundings.told?.() ?? {};
  const now = processFigures(Object.values(told));
  const each = Object.entries(told).map(([name, pid]) => {
    return [name, usedBetween(only(pid, before.each.get(pid)), only(pid, now.get(pid))).cpuSeconds] as const;
  });
  if (each.length === 0) return {};
  const machine = machineCpuSeconds() - before.machine;
  const all = [...each, ["others", machine - each.reduce((sum, [, used]) => sum + used, 0)] as const];
  return Object.fromEntries(all.map(([name, used]) => [`CPU s of ${name} until then`, used]));
}

/** Who used how much time, and had how much memory where that is counted at all. */
function figuresOfEach(before: Counters, after: Counters): Figures {
  const rows = Object.entries(after.told).flatMap(([name, pid]): readonly (readonly [string, number])[] => {
    const [earlier, now] = [before.each.get(pid), after.each.get(pid)];
    const { cpuSeconds, peakBytes } = usedBetween(only(pid, earlier), only(pid, now));
    const megabytes = [`MB at most of ${name}`, peakBytes / 2 ** 20] as const;
    return [[`CPU s of ${name}`, cpuSeconds], ...(after.used.has(pid) ? [megabytes] : [])];
  });
  return Object.fromEntries(rows);
}

function only<T>(pid: number, figures: T | undefined): ReadonlyMap<number, T> {
  return new Map(figures === undefined ? [] : [[pid, figures]]);
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
