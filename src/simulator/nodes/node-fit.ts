import { type LabelOperator, matchesLabels, sortByKey } from "#api/meta/label-selector.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { isTrue } from "../conditions.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import type { Usage } from "./node-usage.ts";
import { type Amounts, amountsOf } from "./pod-requests.ts";

/** Why a pod cannot run on a node, in the words of kube-scheduler; moving other pods away helps or not. */
export interface Misfit {
  readonly reason: string;
  readonly preemptable: boolean;
}

/** Reasons that lie in the node itself, whatever runs on it; undefined when there is none. */
export function nodeMisfit(podSpec: Fields, node: SimulatedObject): Misfit | undefined {
  if (node.spec["unschedulable"] === true && !toleratesCordon(podSpec)) {
    return { reason: "node(s) were unschedulable", preemptable: false };
  }
  const taint = untoleratedTaint(podSpec, node);
  if (taint !== undefined) {
    const shown = `{${taint["key"]}: ${taint["value"] ?? ""}}`;
    return { reason: `node(s) had untolerated taint ${shown}`, preemptable: false };
  }
  if (!matchesNode(podSpec, node)) {
    return { reason: "node(s) didn't match Pod's node affinity/selector", preemptable: false };
  }
  return undefined;
}

/** Reasons that lie in how full the node is. */
export function roomMisfits(requests: Amounts, node: SimulatedObject, usage: Usage): readonly Misfit[] {
  const allocatable = amountsOf(node.status?.["allocatable"]);
  const misfits: Misfit[] = [];
  if (BigInt(usage.pods + 1) * 1_000_000_000n > (allocatable.get("pods") ?? 0n)) {
    misfits.push({ reason: "Too many pods", preemptable: true });
  }
  for (const [name, amount] of requests) {
    const available = allocatable.get(name) ?? 0n;
    if (amount === 0n || amount + (usage.requested.get(name) ?? 0n) <= available) continue;
    misfits.push({ reason: `Insufficient ${name}`, preemptable: amount <= available });
  }
  return misfits;
}

/** Whether the node takes pods at all; a node that is not ready is tainted a moment later. */
export function isNodeReady(node: SimulatedObject): boolean {
  return isTrue(node, "Ready");
}

/** The first taint that keeps the pod away or drives it out. */
export function untoleratedTaint(
  podSpec: Fields,
  node: SimulatedObject,
  effects: readonly string[] = ["NoSchedule", "NoExecute"],
): Fields | undefined {
  const taints: readonly Fields[] = node.spec["taints"] ?? [];
  const tolerations: readonly Fields[] = podSpec["tolerations"] ?? [];
  return taints.find(
    (taint) => effects.includes(taint["effect"]) && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

export function tolerates(toleration: Fields, taint: Fields): boolean {
  const { key, operator = "Equal", value = "", effect } = toleration;
  if (effect && effect !== taint["effect"]) return false;
  if (!key) return operator === "Exists";
  return key === taint["key"] && (operator === "Exists" || value === (taint["value"] ?? ""));
}

function toleratesCordon({ tolerations = [] }: Fields): boolean {
  const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  return tolerations.some((toleration: Fields) => tolerates(toleration, cordon));
}

function matchesNode(podSpec: Fields, node: SimulatedObject): boolean {
  const labels = node.metadata.labels ?? {};
  const selected = Object.entries(podSpec["nodeSelector"] ?? {}).every(([key, value]) => labels[key] === value);
  const required = podSpec["affinity"]?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!selected || required === undefined) return selected;
  return (required.nodeSelectorTerms ?? []).some((term: Fields) => matchesTerm(term, node));
}

/** An empty term matches no node. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: Fields, node: SimulatedObject): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields = { "metadata.name": node.metadata.name };
  return matchesAll(matchExpressions, node.metadata.labels) && matchesAll(matchFields, fields);
}

const operators: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
  Gt: ">",
  Lt: "<",
};

function matchesAll(expressions: readonly Fields[], labels: Readonly<Record<string, string>> | undefined): boolean {
  const requirements = expressions.map(({ key, operator, values = [] }) => ({
    key,
    operator: operators[operator] ?? "in",
    values,
  }));
  return matchesLabels(sortByKey(requirements), labels);
}
