import type { ExplainedCluster, ExplainedPolicy, Explanation } from "#api/plan/explanation.ts";
import type { Paint } from "../print/paint.ts";

interface RenderOptions {
  readonly paint: Paint;
  /** Whether to say what would have to change. */
  readonly remedies: boolean;
}

/** An explanation for people: policies, what acts, what waits, then cluster by cluster. */
export function renderWhy(explanation: Explanation, options: RenderOptions): readonly string[] {
  const { template, policies, activation, pending, scheduled, clusters } = explanation;
  const { paint } = options;
  const path = template.namespace === undefined ? template.name : `${template.namespace}/${template.name}`;
  return [
    paint.bold(`${template.kind} ${path}`),
    `  ${activation}`,
    ...(pending === undefined ? [] : [`  ${paint.yellow("waits")}: ${pending}`]),
    ...(scheduled === undefined ? [] : [`  scheduled: ${scheduled}`]),
    paint.bold("Policies"),
    ...(policies.length === 0 ? ["  none selects it"] : policies.map((each, index) => policyLine(each, index))),
    paint.bold("Clusters"),
    ...(clusters.length === 0 ? ["  it has no binding"] : clusters.flatMap((each) => clusterLines(each, options))),
  ];
}

const rules = {
  scope: "a policy of its namespace comes first",
  priority: "by priority",
  precision: "by how exactly they match",
  name: "by name",
} as const;

function policyLine({ policy, holds, matchedBy, priority, behindBy }: ExplainedPolicy, index: number): string {
  const notes = [
    ...(holds ? ["holds it"] : []),
    `matches by ${matchedBy}`,
    `priority ${priority}`,
    ...(behindBy === undefined ? [] : [`behind the one above: ${rules[behindBy]}`]),
  ];
  return `  ${index + 1}. ${policy}: ${notes.join(", ")}`;
}

function clusterLines(cluster: ExplainedCluster, { paint, remedies }: RenderOptions): readonly string[] {
  const { name, decidedBy, reason, remedy, overrides, work, member } = cluster;
  const mark = cluster.in ? paint.green("in ") : paint.red("out");
  const indent = "        ";
  return [
    `  ${mark} ${name}: ${reason} (${decidedBy})`,
    ...(overrides.length === 0 || !cluster.in ? [] : [`${indent}overrides: ${overrides.join("; ")}`]),
    ...(work === undefined ? [] : [`${indent}work: ${work}`]),
    ...(member === undefined ? [] : [`${indent}member: ${member}`]),
    ...(remedy === undefined || !remedies ? [] : [`${indent}to change it: ${remedy}`]),
  ];
}
