import type { Cluster, ClusterStatus } from "#api/cluster/cluster.ts";
import {
  clusterIdMismatchCondition,
  completeAPIEnablementsCondition,
  readyCondition,
} from "#api/cluster/condition-reasons.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { type Verdict, withConditions } from "#api/meta/with-condition.ts";
import { jsonEquals } from "#base/json.ts";
import type { ClusterSummary } from "./resource-summary.ts";

export interface ClusterStatusFacts {
  readonly cluster: Cluster;
  readonly health: "ok" | "notOk" | "refused" | "unreachable";
  /** Why there is no way to the member, where that is known. */
  readonly failure?: string | undefined;
  /** Why the member that answers is not the one that joined, where it is not. */
  readonly mismatch?: string | undefined;
  /** Undefined when the member could not be asked. */
  readonly version: string | undefined;
  readonly resources: readonly ResourceId[] | undefined;
  readonly summary: ClusterSummary | undefined;
  /** For how long the member has answered differently from its Ready condition. */
  readonly differentForMs: number;
  /** How long that must last before the condition turns. */
  readonly thresholds: ReadyThresholds;
  readonly now: string;
}

export interface ReadyThresholds {
  /** Before a member that fails is not ready: one lost request is not an outage. */
  readonly failureMs: number;
  /** Before a member that says that it is well is ready again. */
  readonly successMs: number;
}

type Condition = NonNullable<ClusterStatus["conditions"]>[number];

/** The status to write; undefined when nothing changed. Conditions that others wrote stay (ruling 27). */
export function decideClusterStatus(facts: ClusterStatusFacts): ClusterStatus | undefined {
  const { cluster, health, version, resources, summary } = facts;
  const old = cluster.status ?? {};
  const conditions = withConditions(
    (old.conditions ?? []).filter(
      ({ type }) => facts.mismatch !== undefined || type !== clusterIdMismatchCondition.type,
    ),
    [
      ...readyVerdict(facts),
      ...mismatchVerdict(facts.mismatch),
      ...(resources === undefined ? [] : [enablementVerdict(resources)]),
    ],
    facts.now,
  );
  const status: ClusterStatus = {
    ...old,
    conditions,
    ...(health === "ok" && version !== undefined ? { kubernetesVersion: version } : {}),
    ...(resources === undefined || resources.length === 0 ? {} : { apiEnablements: enablementsOf(resources) }),
    ...(summary === undefined ? {} : summary),
  };
  return jsonEquals(status, old) ? undefined : status;
}

/** Ready turns when the member has said something else for long enough; a first report counts at once. */
function readyVerdict(facts: ClusterStatusFacts): readonly Verdict<Condition>[] {
  const { cluster, health, failure, mismatch, differentForMs, thresholds } = facts;
  if (mismatch !== undefined)
    return [{ type: readyCondition.type, status: "False", reason: readyCondition.idMismatch, message: mismatch }];
  const present = cluster.status?.conditions?.find(({ type }) => type === readyCondition.type);
  const wanted = health === "ok" ? "True" : "False";
  const thresholdMs = health === "ok" ? thresholds.successMs : thresholds.failureMs;
  if (present !== undefined && present.status !== wanted && differentForMs < thresholdMs) return [];
  const words = wordsFor[health];
  const message = health === "unreachable" && failure !== undefined ? `${words.message}: ${failure}` : words.message;
  return [{ type: readyCondition.type, status: wanted, reason: words.reason, message }];
}

const wordsFor = {
  ok: readyCondition.ready,
  notOk: readyCondition.notReady,
  refused: readyCondition.credentialsRefused,
  unreachable: readyCondition.notReachable,
} as const;

function mismatchVerdict(mismatch: string | undefined): readonly Verdict<Condition>[] {
  const { type, reason } = clusterIdMismatchCondition;
  return mismatch === undefined ? [] : [{ type, status: "True", reason, message: mismatch }];
}

function enablementVerdict(resources: readonly ResourceId[]): Verdict<Condition> {
  const { type, complete, empty } = completeAPIEnablementsCondition;
  return resources.length === 0
    ? { type, status: "False", reason: empty, message: "collected empty APIEnablements from the cluster" }
    : { type, status: "True", reason: complete, message: "collected complete APIEnablements" };
}

/** Sorted, so that the same APIs give the same bytes. */
function enablementsOf(resources: readonly ResourceId[]): NonNullable<ClusterStatus["apiEnablements"]> {
  const groups = new Map<string, { name: string; kind: string }[]>();
  for (const { group, version, resource, kind } of resources) {
    const groupVersion = group === "" ? version : `${group}/${version}`;
    groups.set(groupVersion, [...(groups.get(groupVersion) ?? []), { name: resource, kind }]);
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([groupVersion, list]) => ({ groupVersion, resources: list.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }));
}
