import { writeFileSync } from "node:fs";
import type { BenchRow } from "../bench-row.ts";
import type { BenchFlags } from "../flags.ts";
import { describeMachine } from "../machine.ts";
import { memberNames } from "../open-fleet.ts";
import { type Plot, renderPlot } from "../svg-plot.ts";
import { changeNames, scenarios } from "./scenarios.ts";
import { embeddedBenchmarks } from "./suites.ts";

interface Size {
  readonly templates: number;
  readonly members: number;
  /** Which changes are measured in a fleet of this size. */
  readonly changes: readonly string[];
}

const everything = changeNames;
/** To rest takes as long in any fleet, and is measured in one. */
const everyMove = changeNames.filter((name) => name !== "idle");
/** Where a single change takes minutes. */
export const greatMoves = ["claim", "update", "flip", "delete"];
/** By load: where clearing up after one takes minutes, the next is asked of a new fleet. */
const movesByLoad = scenarios.map(({ changes }) => Object.keys(changes).filter((name) => everyMove.includes(name)));

/** Changes that concern every template, or as great a part of them in any fleet: what each costs can be compared. */
const ofAll: ReadonlySet<string> = new Set([
  "claim",
  "update",
  "flip",
  "delete",
  "create",
  "preempt",
  "exclude",
  "load",
  "share",
]);

/** Once, ten and a hundred times as many templates in few members; few templates in three and thirty times as many members; both at once. */
function sizesFrom(templates: number): readonly [Size, ...Size[]] {
  return [
    { templates, members: 3, changes: everything },
    { templates: 10 * templates, members: 3, changes: everyMove },
    { templates, members: 10, changes: everyMove },
    { templates, members: 100, changes: everyMove },
    { templates: 10 * templates, members: 10, changes: greatMoves },
    ...movesByLoad.map((changes) => ({ templates: 100 * templates, members: 3, changes })),
  ];
}

/** The scenarios in embedded fleets of growing size, each in a process of its own, as rows and as plots of what each template or copy costs. */
export async function sizesBenchmarks(flags: BenchFlags): Promise<readonly BenchRow[]> {
  const sizes = sizesFrom(flags.templates);
  const rows: SizedRow[] = [];
  for (const size of sizes) {
    const { templates, changes } = size;
    const wanted = changes.filter((name) => flags.scenarios.includes(name));
    if (wanted.length === 0) continue;
    const fleet = { ...flags, templates, members: memberNames(size.members), scenarios: wanted };
    const found = await embeddedBenchmarks(fleet).catch((error: unknown) => [failure(size, error)]);
    rows.push(...found.map((row) => ({ row, size })));
    if (flags.plot !== undefined) draw(rows, { file: flags.plot, least: sizes[0] });
    flags.soFar?.(rows.map(({ row }) => row));
  }
  return rows.map(({ row }) => row);
}

/** A fleet that fails does not keep the next from being measured. */
function failure({ templates, members }: Size, error: unknown): BenchRow {
  console.error(error);
  const name = `embedded, ${members} members, ${templates.toLocaleString("en")} Deployments`;
  return { name, value: Number.NaN, unit: "", note: `not measured: ${String(error)}` };
}

interface SizedRow {
  readonly row: BenchRow;
  readonly size: Size;
}

/** What each of what a change concerns costs: flat is what it should be. */
function draw(rows: readonly SizedRow[], { file, least }: { readonly file: string; readonly least: Size }): void {
  const byTemplates = linesOf(
    rows.filter(({ size }) => size.members === least.members),
    ({ size: { templates } }) => ({ x: templates, shares: 1 }),
  );
  const byMembers = linesOf(
    rows.filter(({ size }) => size.templates === least.templates),
    ({ size: { members } }) => ({ x: members, shares: members }),
  );
  write(file, {
    title: `What a change of all costs for each template, ${least.members} members`,
    x: "templates",
    y: "ms of CPU for each template",
    lines: byTemplates,
  });
  write(file.replace(/\.svg$/, "-members.svg"), {
    title: `What a change of all costs for each copy, ${least.templates.toLocaleString("en")} templates`,
    x: "members",
    y: "ms of CPU for each copy",
    lines: byMembers,
  });
}

function write(file: string, plot: Omit<Plot, "note">): void {
  writeFileSync(file, renderPlot({ ...plot, note: `embedded, measured from outside; ${describeMachine()}` }));
}

interface Place {
  readonly x: number;
  /** Among how many the cost of a template is divided. */
  readonly shares: number;
}

/** One line for each change of all that was measured in more than one fleet. */
function linesOf(rows: readonly SizedRow[], placeOf: (row: SizedRow) => Place): Plot["lines"] {
  const lines = new Map<string, { readonly x: number; readonly y: number }[]>();
  for (const sized of rows) {
    const { scenario = "", figures } = sized.row;
    const milliseconds = figures?.["CPU ms each"];
    if (!ofAll.has(scenario) || milliseconds === undefined) continue;
    const { x, shares } = placeOf(sized);
    lines.set(scenario, [...(lines.get(scenario) ?? []), { x, y: milliseconds / shares }]);
  }
  return new Map([...lines].filter(([, line]) => line.length > 1));
}
