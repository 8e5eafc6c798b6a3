import type { BenchRow } from "./bench-row.ts";

/** What is promised of a figure of a suite; one of `below`, `most` and `least` is its bar. */
export interface Promised {
  readonly what: string;
  readonly suite: string;
  /** How the name of its row ends. */
  readonly row: string;
  /** One of the row's other figures; the row's own without it. */
  readonly figure?: string;
  /** The row whose figure it is divided by: how often the one is the other. */
  readonly over?: string;
  readonly unit: string;
  readonly below?: number;
  readonly most?: number;
  readonly least?: number;
}

/** A promise, what was measured, and whether it is kept; what was not measured is not. */
export interface Judged extends Promised {
  readonly measured: number | undefined;
  readonly kept: boolean;
}

const arrival = "created, claimed, running and aggregated";

/** Of a fleet in one process; arrivals by their slowest run. */
const embedded: readonly Promised[] = [
  {
    what: `1,000 Deployments to 3 members ${arrival}, the slowest of all runs`,
    suite: "bars",
    row: `1,000 Deployments, 3 members: ${arrival}`,
    figure: "s in the slowest run",
    unit: "s",
    below: 3,
  },
  {
    what: "10,000",
    suite: "bars",
    row: `10,000 Deployments, 3 members: ${arrival}`,
    figure: "s in the slowest run",
    unit: "s",
    below: 30,
  },
  {
    what: "a restart with 30,000 until ready",
    suite: "bars",
    row: "30,000 Deployments, 3 members: restart until ready",
    unit: "s",
    below: 8,
  },
  {
    what: "what it writes",
    suite: "bars",
    row: "30,000 Deployments, 3 members: restart until ready",
    figure: "writes",
    unit: "writes",
    most: 0,
  },
  { what: "at rest after it", suite: "bars", row: "3 members: at rest", unit: "% of a core", below: 1 },
  {
    what: "at rest after every scenario",
    suite: "sizes",
    row: "3 members, 1,000 Deployments: idle for 60 s",
    unit: "% of a core",
    below: 1,
  },
  {
    what: "100,000 Deployments to 10 members, while it is filled",
    suite: "hold",
    row: "10 members: held in",
    unit: "GB",
    below: 6,
  },
  { what: "the same after a restart", suite: "hold", row: "10 members: held after a restart in", unit: "GB", below: 6 },
  {
    what: "what that restart writes",
    suite: "hold",
    row: "10 members: held after a restart in",
    figure: "writes",
    unit: "writes",
    most: 0,
  },
];

/** Little changes much: of 100,000 templates, and against 1,000 of them. */
const smallChanges: readonly Promised[] = [
  {
    what: "a policy edit for 10 of 100,000 templates, the median of five",
    suite: "scale",
    row: "policies: one policy edit that concerns 10 templates",
    unit: "ms",
    below: 100,
  },
  {
    what: "an exclude edit for 10 of 100,000, the same",
    suite: "scale",
    row: "policies: one exclude edit that concerns 10 templates",
    unit: "ms",
    below: 100,
  },
  {
    what: "what it writes about others",
    suite: "scale",
    row: "policies: one exclude edit that concerns 10 templates",
    figure: "writes beyond",
    unit: "writes",
    most: 0,
  },
  {
    what: "a restart with 100,000 templates and 1,000 policies",
    suite: "scale",
    row: "policies: restart until ready",
    unit: "s",
    below: 15,
  },
  {
    what: "what it writes",
    suite: "scale",
    row: "policies: restart until ready",
    figure: "writes",
    unit: "writes",
    most: 0,
  },
  ...[
    "one template edited",
    "one policy edited, 10 templates",
    "one status in a member, until the template shows it",
    "a plan for 10 templates",
  ].map((change) => ({
    what: `${change}: with 100,000 templates against 1,000`,
    suite: "slope",
    row: `100,010 templates: ${change}`,
    over: `1,010 templates: ${change}`,
    figure: "CPU ms",
    unit: "times the CPU",
    most: 1.5,
  })),
];

const plans: readonly Promised[] = [
  {
    what: "a plan of 10 templates of 10,000",
    suite: "plan",
    row: ": a policy edit that concerns 10 templates",
    unit: "ms",
    most: 200,
  },
  ...["an override that concerns everything", "the default policy moves all that it holds"].map((edit) => ({
    what: `a plan of ${edit}`,
    suite: "plan",
    row: `clusters: ${edit}`,
    unit: "ms",
    most: 2_000,
  })),
  {
    what: "`why`, from the start of its process",
    suite: "plan",
    row: "why, 10,000 templates, 500 policies, 50 clusters: the whole command",
    unit: "ms",
    most: 300,
  },
];

const parts: readonly Promised[] = [
  {
    what: "durable creates, 32 clients",
    suite: "store",
    row: "durable creates of 2 KiB, 32 clients",
    unit: "a second",
    least: 3_000,
  },
  { what: "start-up with 100,000 objects", suite: "store", row: "start-up with 100000 objects", unit: "s", below: 5 },
  {
    what: "heap for a Deployment of 2 KiB",
    suite: "store",
    row: "heap per Deployment of 2 KiB, parsed",
    unit: "KiB",
    most: 6,
  },
  {
    what: "creates in process, 32 clients",
    suite: "api",
    row: "in-process API creates, 32 clients",
    unit: "a second",
    least: 3_000,
  },
  {
    what: "creates over HTTPS, 32 clients",
    suite: "api",
    row: "HTTPS creates, 32 clients",
    unit: "a second",
    least: 1_500,
  },
];

/**
 * Three times what tuned Karmada was measured to do (claim 9 templates a second, update 16, flip 20, its own load 6) in half of its CPU (a
 * claim: 50 s) and of the least of its memory (470 to 700 MB), with a third of its writes (30 each), and none when it restarts (1,662).
 */
const real: readonly Promised[] = [
  ...(
    [
      ["claim", "claim all by one new policy", 27],
      ["update", "update all", 48],
      ["flip", "flip the placement to one member", 60],
      ["load", "Karmada's own load: create all, ten replicas each, divided, with a ConfigMap", 18],
    ] as const
  ).flatMap(([name, row, least]): readonly Promised[] => [
    { what: `kube-apiservers: ${name}`, suite: "real", row, figure: "a second", unit: "a second", least },
    {
      what: `kube-apiservers: ${name}, our processes`,
      suite: "real",
      row,
      figure: "MB at most",
      unit: "MB",
      most: 235,
    },
    {
      what: `kube-apiservers: ${name}, for each`,
      suite: "real",
      row,
      figure: "control plane writes each",
      unit: "writes",
      most: 10,
    },
  ]),
  {
    what: "kube-apiservers: claim, our processes",
    suite: "real",
    row: "claim all by one new policy",
    figure: "CPU s",
    unit: "CPU s",
    most: 25,
  },
  {
    what: "kube-apiservers: a restart with 2,000",
    suite: "real",
    row: "2,000 Deployments: restart until ready",
    figure: "control plane writes each",
    unit: "writes",
    most: 0,
  },
  { what: "kube-apiservers: at rest", suite: "real", row: "idle for 60 s", unit: "% of a core", below: 1 },
];

/** All that is promised in figures. */
export const promises: readonly Promised[] = [...embedded, ...smallChanges, ...plans, ...parts, ...real];

/** Holds promises against what suites found, by their names. */
export function judge(
  found: Readonly<Record<string, readonly BenchRow[]>>,
  promised: readonly Promised[] = promises,
): readonly Judged[] {
  return promised.map((each) => {
    const measured = measuredOf(each, found[each.suite] ?? []);
    return { ...each, measured, kept: measured !== undefined && reaches(measured, each) };
  });
}

function measuredOf({ row, over, figure }: Promised, rows: readonly BenchRow[]): number | undefined {
  const value = figureOf(row, figure, rows);
  if (over === undefined || value === undefined) return value;
  const base = figureOf(over, figure, rows);
  return base === undefined || base === 0 ? undefined : value / base;
}

/** JSON has null for what is no number. */
function figureOf(end: string, figure: string | undefined, rows: readonly BenchRow[]): number | undefined {
  const row = rows.find(({ name }) => name.endsWith(end));
  const value = figure === undefined ? row?.value : row?.figures?.[figure];
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

function reaches(
  measured: number,
  { below = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY }: Promised,
): boolean {
  return measured < below && measured <= most && measured >= least;
}

/** The bar in words. */
export function describeBar({ below, most, least, unit }: Promised): string {
  const [word, figure] = below !== undefined ? ["below", below] : most !== undefined ? ["at most", most] : ["", least];
  const amount = `${(figure ?? 0).toLocaleString("en")} ${unit}`;
  if (word === "") return `${amount} or more`;
  return most === 0 ? `no ${unit}` : `${word} ${amount}`;
}
