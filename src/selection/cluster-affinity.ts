import type { Cluster } from "#api/cluster/cluster.ts";
import {
  type LabelOperator,
  type LabelRequirement,
  labelRequirementsOf,
  labelSelectorErrors,
  matchesLabels,
  requirementProblem,
} from "#api/meta/label-selector.ts";
import type { ClusterAffinity } from "#api/policy/cluster-affinity.ts";

/** The part of an affinity that keeps a cluster out. */
export type AffinityPart = "exclude" | "labelSelector" | "fieldSelector" | "clusterNames";

/** What an affinity looks at. */
export interface AffinityTarget {
  readonly metadata: Pick<Cluster["metadata"], "name" | "labels">;
  readonly spec: Pick<Cluster["spec"], "provider" | "region" | "zones">;
}

/** An affinity made ready to be asked about many clusters. */
export interface ClusterMatcher {
  /** The first part that keeps the cluster out; undefined when it matches. */
  readonly mismatch: (cluster: AffinityTarget) => AffinityPart | undefined;
}

type Test = (cluster: AffinityTarget) => boolean;

/** Reads an affinity once. All parts that are set must agree, `exclude` wins, and a selector that is not valid matches nothing. */
export function compileClusterAffinity(affinity: ClusterAffinity): ClusterMatcher {
  const parts: (readonly [AffinityPart, Test])[] = [];
  const { exclude, labelSelector, fieldSelector, clusterNames } = affinity;
  if (exclude !== undefined && exclude.length > 0) {
    const names = new Set(exclude);
    parts.push(["exclude", ({ metadata }) => !names.has(metadata.name)]);
  }
  if (labelSelector !== undefined) parts.push(["labelSelector", labelTest(labelSelector)]);
  if (fieldSelector !== undefined) parts.push(["fieldSelector", fieldTest(fieldSelector.matchExpressions ?? [])]);
  if (clusterNames !== undefined && clusterNames.length > 0) {
    const names = new Set(clusterNames);
    parts.push(["clusterNames", ({ metadata }) => names.has(metadata.name)]);
  }
  return {
    mismatch(cluster) {
      for (const part of parts) if (!part[1](cluster)) return part[0];
      return undefined;
    },
  };
}

/** Whether an affinity selects a cluster; to ask about many, compile it once. */
export function matchesCluster(affinity: ClusterAffinity, cluster: AffinityTarget): boolean {
  return compileClusterAffinity(affinity).mismatch(cluster) === undefined;
}

function labelTest(selector: NonNullable<ClusterAffinity["labelSelector"]>): Test {
  if (labelSelectorErrors(selector, "").length > 0) return never;
  const requirements = labelRequirementsOf(selector);
  return ({ metadata }) => matchesLabels(requirements, metadata.labels);
}

type FieldExpression = NonNullable<NonNullable<ClusterAffinity["fieldSelector"]>["matchExpressions"]>[number];

/** Zones are a list and compared as one; provider and region behave like labels that are absent when empty. */
function fieldTest(expressions: readonly FieldExpression[]): Test {
  const zoneTests = expressions.filter(({ key }) => key === "zone").map(zoneTest);
  const requirements = expressions.filter(({ key }) => key !== "zone").map(fieldRequirement);
  const valid = requirements.filter((requirement) => requirement !== undefined);
  if (valid.length < requirements.length) return never;
  return (cluster) =>
    zoneTests.every((test) => test(cluster.spec.zones ?? [])) && matchesLabels(valid, fieldsOf(cluster));
}

function zoneTest({ operator, values = [] }: FieldExpression): (zones: readonly string[]) => boolean {
  switch (operator) {
    case "In":
      return (zones) => zones.some((zone) => values.includes(zone));
    case "NotIn":
      return (zones) => !zones.some((zone) => values.includes(zone));
    case "Exists":
      return (zones) => zones.length > 0;
    case "DoesNotExist":
      return (zones) => zones.length === 0;
    default:
      return never;
  }
}

const operators: Readonly<
  Record<string, { readonly operator: LabelOperator; readonly takes: (n: number) => boolean }>
> = {
  In: { operator: "in", takes: (n) => n > 0 },
  NotIn: { operator: "notin", takes: (n) => n > 0 },
  Exists: { operator: "exists", takes: (n) => n === 0 },
  DoesNotExist: { operator: "!", takes: (n) => n === 0 },
  Gt: { operator: ">", takes: (n) => n === 1 },
  Lt: { operator: "<", takes: (n) => n === 1 },
};

/** One expression as a label requirement; undefined when it is not valid. */
function fieldRequirement({ key, operator, values = [] }: FieldExpression): LabelRequirement | undefined {
  const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (known === undefined || !known.takes(values.length)) return undefined;
  const requirement: LabelRequirement = { key, operator: known.operator, values };
  return requirementProblem(requirement) === "" ? requirement : undefined;
}

function fieldsOf({ spec }: AffinityTarget): Readonly<Record<string, string>> {
  const { provider = "", region = "" } = spec;
  return { ...(provider !== "" && { provider }), ...(region !== "" && { region }) };
}

function never(): boolean {
  return false;
}
