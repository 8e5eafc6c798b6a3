import type { PlannedObject, PlannedTarget, PlannedTemplate, PlanReport, PlanTotals } from "#api/plan/plan-report.ts";
import { MisuseError } from "../command.ts";
import type { Paint } from "../print/paint.ts";

/** Effects by which templates are picked. */
const effects = {
  moves: ({ moves }: PlannedTemplate) => moves,
  deletes: ({ objects }: PlannedTemplate) => objects.some(({ does }) => does === "deletes"),
  restarts: ({ objects }: PlannedTemplate) => objects.some(({ restarts }) => restarts === true),
} as const;

type Effect = keyof typeof effects;

/** Reads `moves,deletes`; nothing asked for is everything. */
export function readEffects(text: string | undefined): readonly Effect[] {
  const names = (text ?? "").split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim()]));
  for (const name of names)
    if (!Object.hasOwn(effects, name))
      throw new MisuseError(`cannot show only ${JSON.stringify(name)}`, "--only takes moves, deletes, restarts");
  return names as readonly Effect[]; // as was just seen
}

/** Whether a template is to be shown. */
export function hasEffect(template: PlannedTemplate, shown: readonly Effect[]): boolean {
  return shown.length === 0 || shown.some((each) => effects[each](template));
}

interface RenderOptions {
  readonly paint: Paint;
  readonly summary: boolean;
}

const worstShown = 10;

/** A plan for people: totals first, the worst effects next, details last. */
export function renderPlan(report: PlanReport, { paint, summary }: RenderOptions): readonly string[] {
  const { totals, edits, templates } = report;
  if (totals.templates === 0 && edits.length === 0) return ["Nothing would change."];
  if (totals.templates === 0)
    return ["No template would be affected.", ...edits.map((edit) => `  ${nameOf(edit)} is ${edit.does}`)];
  const worst = templates.filter((each) => severity(each) > 0).toSorted((a, b) => severity(b) - severity(a));
  return [
    ...totalLines(totals, paint),
    ...(worst.length === 0 ? [] : ["", paint.bold("Worst first")]),
    ...worst.slice(0, worstShown).map((each) => `  ${paint.red("!")} ${nameOf(each)}: ${worstText(each)}`),
    ...(worst.length > worstShown ? [`  and ${worst.length - worstShown} more`] : []),
    ...(summary || templates.length === 0 ? [] : ["", paint.bold("Details")]),
    ...(summary ? [] : templates.flatMap((each) => detailLines(each, paint))),
  ];
}

function totalLines(totals: PlanTotals, paint: Paint): readonly string[] {
  const { templates, claims, moves, creates, changes, deletes, restarts, replicasDown, pending } = totals;
  const parts = [
    [claims, claims === 1 ? "changes hands" : "change hands"],
    [moves, moves === 1 ? "moves" : "move"],
    [pending, pending === 1 ? "waits" : "wait"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  const pods =
    restarts > 0 || replicasDown > 0
      ? [
          `Pods: ${counted(restarts, "copy restarts", "copies restart")}, at most ${counted(replicasDown, "replica", "replicas")} down`,
        ]
      : [];
  return [
    paint.bold(
      `${counted(templates, "template", "templates")} affected${told.length === 0 ? "" : `: ${told.join(", ")}`}`,
    ),
    `Objects in members: ${creates} created, ${changes} changed, ${deletes} deleted`,
    ...pods,
  ];
}

/** How bad it is: what stops, then what goes, then what restarts, then what waits. */
function severity({ objects, pending }: PlannedTemplate): number {
  const down = objects.reduce((sum, { replicasDown = 0 }) => sum + replicasDown, 0);
  const deletes = objects.filter(({ does }) => does === "deletes").length;
  const restarts = objects.filter((each) => each.restarts).length;
  return down * 1_000 + deletes * 100 + restarts * 10 + pending.length;
}

function worstText({ objects, pending }: PlannedTemplate): string {
  const where = (which: (object: PlannedObject) => boolean) => objects.filter(which).map(({ cluster }) => cluster);
  const down = objects.reduce((sum, { replicasDown = 0 }) => sum + replicasDown, 0);
  const [deleted, restarted] = [where(({ does }) => does === "deletes"), where(({ restarts }) => restarts === true)];
  return [
    ...(deleted.length === 0 ? [] : [`deleted in ${deleted.join(", ")}`]),
    ...(restarted.length === 0 ? [] : [`restarts in ${restarted.join(", ")}`]),
    ...(down === 0 ? [] : [`at most ${counted(down, "replica", "replicas")} down`]),
    ...pending.map(({ why }) => why),
  ].join("; ");
}

function detailLines(template: PlannedTemplate, paint: Paint): readonly string[] {
  const { edit, policy, clusters, objects, follows, pending } = template;
  const rule = policy?.rule === undefined ? "" : ` (${policy.rule})`;
  const places = [targetsText(clusters.before), targetsText(clusters.after)];
  return [
    `${paint.bold(nameOf(template))}${edit === undefined ? "" : ` is ${edit}`}`,
    ...(policy === undefined ? [] : [`  policy    ${policy.before ?? "none"} → ${policy.after ?? "none"}${rule}`]),
    ...(places[0] === places[1] ? [] : [`  clusters  ${places[0]} → ${places[1]}`]),
    ...(follows === undefined ? [] : [`  follows   ${follows.join(", ")}`]),
    ...objects.flatMap((object) => objectLines(object, paint)),
    ...pending.map(
      ({ why, message, clusters: at }) =>
        `  ${paint.yellow("waits")}     ${why}${at === undefined ? "" : ` in ${at.join(", ")}`}: ${message}`,
    ),
  ];
}

function objectLines({ cluster, does, fields = [], restarts, replicasDown }: PlannedObject, paint: Paint) {
  const colour = { creates: paint.green, changes: paint.yellow, deletes: paint.red, releases: paint.yellow }[does];
  const notes = [
    ...(restarts ? ["pods restart"] : []),
    ...(replicasDown === undefined ? [] : [`at most ${counted(replicasDown, "replica", "replicas")} down`]),
  ];
  const first = `  ${colour(does.padEnd(9))} ${cluster}${notes.length === 0 ? "" : `: ${notes.join(", ")}`}`;
  return [first, ...fields.map((field) => `            ${field}`)];
}

/** `m1:2 m2`, or `none`. */
export function targetsText(targets: readonly PlannedTarget[]): string {
  if (targets.length === 0) return "none";
  return targets.map(({ name, replicas }) => (replicas === undefined ? name : `${name}:${replicas}`)).join(" ");
}

/** `Deployment shop/web`. */
export function nameOf({ kind, namespace, name }: Pick<PlannedTemplate, "kind" | "namespace" | "name">): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
