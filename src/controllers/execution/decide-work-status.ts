import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { type Verdict, withConditions } from "#api/meta/with-condition.ts";
import { appliedCondition, dispatchingCondition, statusTruncatedCondition } from "#api/work/condition-reasons.ts";
import type { Work } from "#api/work/work.ts";
import { jsonEquals } from "#base/json.ts";
import { boundedStatus } from "./bounded-status.ts";

/** What is known of one manifest in the member. */
export interface ReportedManifest {
  readonly manifest: Fields;
  readonly observed: ApiObject | undefined;
  /** Undefined when nothing is to be reported. */
  readonly status: Fields | undefined;
  readonly health: "Healthy" | "Unhealthy" | "Unknown";
}

export interface WorkStatusFacts {
  readonly work: Work;
  readonly manifests: readonly ReportedManifest[];
  /** Why the last attempt failed; undefined when everything is in place; `pending` while nothing was tried. */
  readonly outcome: { readonly applied: true } | { readonly applied: false; readonly error: string } | "pending";
  readonly now: string;
}

type WorkStatus = NonNullable<Work["status"]>;
type Condition = NonNullable<WorkStatus["conditions"]>[number];

/** The status to write; undefined when nothing changed, but for the generation of which the same is said: that goes along with the next news. */
export function decideWorkStatus({ work, manifests, outcome, now }: WorkStatusFacts): WorkStatus | undefined {
  const old = work.status ?? {};
  const items = manifests.flatMap((manifest, ordinal) =>
    manifest.observed === undefined ? [] : [statusItem(manifest, ordinal)],
  );
  const troubles = items.flatMap(({ trouble }) => trouble ?? []);
  const conditions = withConditions(
    (old.conditions ?? []).filter(({ type }) => troubles.length > 0 || type !== statusTruncatedCondition.type),
    [
      dispatchingVerdict(work),
      ...appliedVerdict(outcome, { work, total: manifests.length }),
      ...truncatedVerdict(troubles),
    ],
    now,
  );
  const reported = items.map(({ item }) => item);
  const status = { ...old, conditions, ...(reported.length > 0 ? { manifestStatuses: reported } : {}) } as WorkStatus; // as the schema has it
  return jsonEquals(said(status), said(old)) ? undefined : status;
}

function said({ conditions, ...rest }: Partial<WorkStatus>) {
  return { conditions: conditions?.map(({ observedGeneration: _, ...condition }) => condition), ...rest };
}

/** Whether a work says that its member has it as it is now; undefined where it does not say of which generation. */
export function saysApplied({ metadata, status }: Work): boolean | undefined {
  const applied = status?.conditions?.find(({ type }) => type === appliedCondition.type);
  if (applied?.status !== "True") return false;
  return applied.observedGeneration === undefined ? undefined : applied.observedGeneration === metadata.generation;
}

/** What to tell when dispatching stops or goes on; undefined when it does neither. That it begins is no news. */
export function dispatchingNews(old: Work["status"], status: WorkStatus): string | undefined {
  const [was, is] = [old, status].map((each) =>
    each?.conditions?.find(({ type }) => type === dispatchingCondition.type),
  );
  return is === undefined || is.status === (was?.status ?? "True") ? undefined : is.message;
}

/** Whether a work is suspended shows in a condition that turns False, so that `kubectl wait` and people read it right (ruling 13). */
function dispatchingVerdict({ spec }: Work): Verdict<Condition> {
  const { type, dispatching, suspended } = dispatchingCondition;
  return spec.suspendDispatching === true
    ? { type, status: "False", ...suspended }
    : { type, status: "True", ...dispatching };
}

function appliedVerdict(
  outcome: WorkStatusFacts["outcome"],
  { work, total }: { readonly work: Work; readonly total: number },
): readonly Verdict<Condition>[] {
  const { success, failed } = appliedCondition;
  if (outcome === "pending") return [];
  const generation = work.metadata?.generation;
  const { type } = appliedCondition;
  const observed = generation !== undefined && { observedGeneration: generation };
  if (outcome.applied) return [{ type, status: "True", ...success, ...observed }];
  const message = `${failed.message} (0/${total}): ${outcome.error}`.slice(0, 32_768);
  return [{ type, status: "False", reason: failed.reason, message, ...observed }];
}

/** There only while something is left out. */
function truncatedVerdict(troubles: readonly string[]): readonly Verdict<Condition>[] {
  const { type, reason } = statusTruncatedCondition;
  return troubles.length === 0 ? [] : [{ type, status: "True", reason, message: troubles.join("; ").slice(0, 32_768) }];
}

interface StatusItem {
  readonly item: Fields;
  /** Why the status is left out, where it is. */
  readonly trouble: string | undefined;
}

function statusItem({ manifest, status: given, health }: ReportedManifest, ordinal: number): StatusItem {
  const { apiVersion = "", kind = "", metadata = {} } = manifest;
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const { status, trouble } = boundedStatus(group ?? "", given);
  const item = {
    identifier: {
      ordinal,
      group,
      version,
      kind,
      resource: "",
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      name: metadata.name,
    },
    ...(status === undefined ? {} : { status }),
    health: trouble === undefined ? health : "Unknown",
  };
  const what = `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`;
  return { item, trouble: trouble && `the status of ${what} is not reported: ${trouble}` };
}
