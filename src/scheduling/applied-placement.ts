import type { Placement } from "#api/policy/placement.ts";
import { isJsonObject, jsonEquals, member, setMember, stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";

/** The members of a placement and of what is in it, in the order in which Karmada prints them. */
const printOrder = new Map(
  [
    "affinityName",
    "clusterAffinity",
    "clusterAffinities",
    "clusterTolerations",
    "spreadConstraints",
    "replicaScheduling",
    "workloadAffinity",
    "labelSelector",
    "fieldSelector",
    "clusterNames",
    "exclude",
    "overflowAffinities",
    "matchLabels",
    "matchExpressions",
    "key",
    "operator",
    "value",
    "values",
    "effect",
    "tolerationSeconds",
    "spreadByField",
    "spreadByLabel",
    "maxGroups",
    "minGroups",
    "replicaSchedulingType",
    "replicaDivisionPreference",
    "weightPreference",
    "targetCluster",
    "weight",
    "staticWeightList",
    "dynamicWeight",
    "affinity",
    "antiAffinity",
    "groupByLabelKey",
  ].map((name, index) => [name, index]),
);
/** Zero says something here. */
const meansZero: ReadonlySet<string> = new Set(["tolerationSeconds", "weight"]);

/** The text of the applied-placement annotation: without members that are empty, always in one order. */
export function printPlacement(placement: Placement): string {
  return stringifyJson(pruned(placement, { lists: true }));
}

/**
 * Whether a placement asks for something else than the one that was applied. No annotation means that nothing was; one that
 * cannot be read tells nothing and counts as unchanged. Of clusterAffinities only the group in use counts, so that a change
 * of another one moves nothing.
 *
 * Upstream: karmada pkg/scheduler/helper.go placementChanged.
 */
export function isPlacementChanged(
  placement: Placement,
  {
    applied,
    observedAffinity,
  }: { readonly applied: string | undefined; readonly observedAffinity: string | undefined },
): boolean {
  if (applied === undefined || applied === "") return true;
  const before = readApplied(applied);
  if (before === undefined) return false;
  const [now, then] = [placement, before].map((each) => pruned(each, { lists: false }) as Record<string, unknown>);
  if (jsonEquals(now, then)) return false;
  const [{ clusterAffinities: terms, ...rest }, { clusterAffinities: oldTerms, ...oldRest }] = [now!, then!];
  if (!jsonEquals(rest, oldRest)) return true;
  const term = termNamed(terms, observedAffinity);
  return term === undefined || !jsonEquals(term, termNamed(oldTerms, observedAffinity));
}

function readApplied(text: string): object | undefined {
  try {
    const { value } = parseJson(text);
    if (value === null) return {};
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function termNamed(terms: unknown, name: string | undefined): unknown {
  if (name === undefined || name === "" || !Array.isArray(terms)) return undefined;
  return terms.find((term) => isJsonObject(term) && member(term, "affinityName") === name);
}

/** Without members that say nothing. Upstream tells an empty list from none when it compares, but not when it prints. */
function pruned(value: unknown, options: { readonly lists: boolean }): unknown {
  if (Array.isArray(value)) return value.map((item) => pruned(item, options));
  if (!isJsonObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value).toSorted(byPrintOrder)) {
    const inner = pruned(value[key], options);
    if (!saysNothing(key, inner, options)) setMember(kept, key, inner);
  }
  return kept;
}

function saysNothing(key: string, value: unknown, { lists }: { readonly lists: boolean }): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  if (value === 0) return !meansZero.has(key);
  if (Array.isArray(value)) return lists && value.length === 0;
  return lists && key === "matchLabels" && Object.keys(value as object).length === 0;
}

function byPrintOrder(a: string, b: string): number {
  const [left, right] = [printOrder.get(a) ?? printOrder.size, printOrder.get(b) ?? printOrder.size];
  return left - right || (a < b ? -1 : 1);
}
