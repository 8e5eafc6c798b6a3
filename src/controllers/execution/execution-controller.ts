import type { Cluster } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { workEvents } from "#api/work/event-reasons.ts";
import type { Work } from "#api/work/work.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Plan } from "#base/plan.ts";
import { Settling } from "#controllers/settling.ts";
import { onceKnown } from "#interpreter/interpreter.ts";
import { clusterIdIn } from "#members/cluster-identity.ts";
import { onceSynced } from "#runtime/all-synced.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Informer } from "#runtime/informer.ts";
import { decideExecution, type ExecutionFacts, type ExecutionStep } from "./decide-execution.ts";
import { saysApplied } from "./decide-work-status.ts";
import { watchMember, watchReadiness, watchWorks } from "./execution-watches.ts";
import { FailureLog } from "./failure-log.ts";
import { failuresOf } from "./interpret-manifest.ts";
import { LateReleases } from "./late-releases.ts";
import { ManifestReader, type ReadManifest, type ReadNeeds, unreadManifests, wasSent } from "./read-manifests.ts";
import { RepairPace } from "./repair-pace.ts";
import { putWorkStatus, type ReportFacts, reportOf } from "./report-work.ts";
import { type ActionNeeds, runActions } from "./run-actions.ts";
import { SendPace } from "./send-pace.ts";

export interface ExecutionNeeds
  extends Omit<ReadNeeds, "controlPlaneId">,
    Omit<ActionNeeds, "member" | "exists" | "controlPlaneId"> {
  /** Of all clusters; this one's are picked by namespace. */
  readonly works: Informer<ApiObject>;
  readonly clusters: Informer<ApiObject>;
  /** Of the control plane: one of them tells it from others. */
  readonly namespaces: Informer<ApiObject>;
  /** Works with kinds that are read in another way from now on, by their names in this cluster's namespace. */
  readonly watchMeanings: Watch;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** The field manager under which we write to members. */
  readonly manager: string;
  /** How long news from the member are gathered before they are written: a rollout is many changes, and one status. */
  readonly settleMs: number;
  /** The same while the member is not there yet. */
  readonly patienceMs: number;
  /** Whether there is more to do in the control plane than can be done at once. */
  readonly isBusy: () => boolean;
}

interface Facts extends ExecutionFacts {
  readonly manifests: readonly ReadManifest[];
  /** What is left to do in the member. */
  readonly plan: Plan<ExecutionStep>;
  readonly status: NonNullable<Work["status"]> | undefined;
  /** How long until the news have settled. */
  readonly settlesInMs: number;
  /** How long until what somebody undid, or changed too often, may be sent again. */
  readonly maySendInMs: number;
}

type Step =
  | { readonly do: "execute"; readonly actions: readonly ExecutionStep[] }
  | { readonly do: "putStatus"; readonly status: NonNullable<Work["status"]> }
  | { readonly do: "reportFailures"; readonly failures: ReturnType<typeof failuresOf> };

/** What fails no longer is not told: a namespace may be on its way there, too. */
const momentMs = 100;

/** Sends the works of one member, keeps them so, and reports back. Each member has its own: a slow one holds up no other. */
export function executionController(needs: ExecutionNeeds): Controller<Facts, Step> {
  const { member, clock } = needs;
  const namespace = executionNamespaceOf(member.name);
  const failures = new FailureLog(clock, momentMs);
  const repairs = new RepairPace(clock);
  const sends = new SendPace(clock);
  const releases = new LateReleases(needs);
  const settling = new Settling(needs);
  let id: string | undefined;
  const controlPlaneId = () => {
    id ??= clusterIdIn(needs.namespaces); // nothing changes it
    return id;
  };
  const reader = new ManifestReader({ ...needs, controlPlaneId });
  const actions = { ...needs, controlPlaneId, exists: (manifest: Fields) => reader.expectForeign(manifest) };
  const read = [needs.works, needs.clusters, needs.namespaces];
  /** The generation of a work that the member is known to have: what comes from there is news then, and gathered before it is read. */
  const done = new Map<string, number | undefined>();
  /** The generation in which a work was seen first: one that was applied before we came is taken for done, unless it says otherwise. */
  const found = new Map<string, number | undefined>();
  const isDone = ({ metadata }: Work) =>
    metadata.deletionTimestamp === undefined &&
    done.has(metadata.name) &&
    done.get(metadata.name) === metadata.generation;
  const awaitsMember = (work: Work) => {
    const { name, generation } = work.metadata;
    if (!wasSent(work)) return true;
    if (done.has(name)) return done.get(name) !== generation;
    return !(saysApplied(work) ?? found.get(name) === generation);
  };
  const report = (
    { work, manifests, isReady: ready }: Pick<ReportFacts, "work" | "manifests" | "isReady">,
    refusal?: string,
  ) => {
    if (work.metadata.deletionTimestamp !== undefined) return undefined;
    const error = failures.worthTelling(work.metadata.name) ?? (awaitsMember(work) ? refusal : undefined);
    return reportOf({ work, manifests, isReady: ready, error, now: formatTime(clock.nowMs()) });
  };
  /** Whether anything is remembered of a work; what the member tells wakes it anyway. */
  const isKnown = (name: string) => found.has(name) || failures.has(name) || releases.has(name);
  const forget = (name: string) => {
    done.delete(name);
    found.delete(name);
    failures.forget(name);
    repairs.forget(name);
    sends.forget(name);
    releases.forget(name);
    reader.forget(name);
    settling.settle(name);
    return undefined;
  };
  const factsOf = ({
    work,
    manifests,
    isReady: ready,
    cluster,
  }: Omit<ReportFacts, "error" | "now"> & { readonly cluster: Cluster | undefined }): Facts => {
    const { name } = work.metadata;
    const isLeaving = cluster === undefined || cluster.metadata.deletionTimestamp !== undefined;
    const leaves = work.metadata.deletionTimestamp !== undefined;
    const { manager } = needs;
    const plan = decideExecution({
      work,
      manifests,
      isReady: ready,
      isLeaving,
      unreachable: undefined,
      manager,
      controlPlaneId: controlPlaneId(),
    });
    // nothing is left to do: whatever failed before was done nevertheless, only its answer was lost, or somebody else did it
    if (plan.steps.length === 0) {
      failures.forget(name);
      if (plan.waitFor === undefined && !leaves) done.set(name, work.metadata.generation);
    }
    const reported = { work, manifests, isReady: ready };
    const status = plan.steps.length > 0 ? undefined : report(reported, refusalOf(cluster)); // first things first
    if (status === undefined) settling.settle(name);
    const settlesInMs = status === undefined ? 0 : settling.leftMs(name, isUnderWay(status) ? "under way" : "final");
    const maySendInMs = leaves ? 0 : Math.max(repairs.waitMs(name, work.metadata.generation), sends.waitMs(name));
    // every member by name, here and below: V8 gives each `{ ...a, b }` a hidden class of its own
    return {
      work,
      manifests,
      isReady: ready,
      isLeaving,
      unreachable: undefined,
      manager,
      controlPlaneId: id,
      plan,
      status,
      settlesInMs,
      maySendInMs,
    };
  };
  const look = (name: string, signal: AbortSignal): Facts | undefined | Promise<Facts> => {
    const work = needs.works.get({ namespace, name }) as unknown as Work | undefined; // the informer's kind
    if (work === undefined) return forget(name);
    const leaves = work.metadata.deletionTimestamp !== undefined;
    if (!leaves && !found.has(name)) found.set(name, work.metadata.generation);
    const unquietMs = isDone(work) ? settling.quietInMs(name) : 0;
    if (unquietMs > 0) return gathering(work, { manager: needs.manager, settlesInMs: unquietMs });
    const releaseMs = releases.waitMs(work);
    if (releaseMs !== undefined) return releasing(work, { manager: needs.manager, settlesInMs: releaseMs });
    const cluster = needs.clusters.get({ name: member.name }) as unknown as Cluster | undefined; // as above
    const ready = isReady(cluster);
    return onceKnown(ready ? reader.read(work, signal) : unreadManifests(work), (manifests) =>
      factsOf({ work, manifests, cluster, isReady: ready }),
    );
  };

  return {
    name: `execution/${member.name}`,
    watches: [
      watchWorks(needs.works, { namespace, isKnown }),
      watchMember(member, { namespace, settling, isDone: (name) => done.has(name) }),
      watchReadiness(needs),
      needs.watchMeanings,
      settling.watch,
      releases.watch,
    ],

    gather: (name, signal) => onceSynced(read, () => look(name, signal)),

    decide(facts) {
      const { steps, waitFor } = facts.plan;
      if (steps.length > 0 && facts.maySendInMs > 0)
        return { steps: [], waitFor: { reason: "it was sent too often", retryAfterMs: facts.maySendInMs } };
      if (steps.length > 0) {
        const actions = releases.atOnce(steps);
        return {
          steps: [{ do: "execute", actions }],
          ...(actions.length < steps.length && { waitFor: { reason: "it is let go later", retryAfterMs: 1_000 } }),
        };
      }
      const failures = facts.manifests.flatMap(failuresOf);
      if (facts.status === undefined && failures.length === 0 && facts.settlesInMs === 0)
        return { steps: [], ...(waitFor === undefined ? {} : { waitFor }) };
      if (facts.settlesInMs > 0)
        return { steps: [], waitFor: { reason: "news from the member are gathered", retryAfterMs: facts.settlesInMs } };
      return {
        steps: [
          ...(facts.status === undefined ? [] : [{ do: "putStatus", status: facts.status } as const]),
          ...(failures.length === 0 ? [] : [{ do: "reportFailures", failures } as const]),
        ],
        ...(failures.some(({ again }) => again) && {
          waitFor: { reason: "a rule did not answer", retryAfterMs: 10_000 },
        }),
      };
    },

    async apply(step, facts) {
      const { work } = facts;
      const { name } = work.metadata;
      if (step.do === "putStatus") {
        await putWorkStatus(needs, work, step.status);
        return settling.settle(name);
      }
      if (step.do === "reportFailures") {
        for (const { reason, message } of step.failures)
          needs.events.record(work, { type: "Warning", reason, message });
        return;
      }
      const failure = await runActions(actions, work, step.actions);
      if (failure === undefined) {
        releases.note(work, step.actions);
        failures.forget(name);
        if (work.metadata.deletionTimestamp !== undefined) return; // nothing of it comes again
        done.set(name, work.metadata.generation);
        repairs.sent(name, work.metadata.generation);
        sends.sent(name);
        settling.note(name);
        return;
      }
      const isKnown = failures.note(name, failure.message);
      const status = report(facts);
      if (status !== undefined && isKnown) {
        await putWorkStatus(needs, work, status);
        needs.events.record(work, { type: "Warning", reason: workEvents.sync.failed, message: failure.message });
      }
      throw failure;
    },
  };
}

/** Facts about a work whose member is still telling. */
function gathering(work: Work, { manager, settlesInMs }: Pick<Facts, "manager" | "settlesInMs">): Facts {
  return {
    work,
    manifests: [],
    isReady: true,
    isLeaving: false,
    unreachable: undefined,
    manager,
    controlPlaneId: undefined, // nothing is decided by it
    plan: { steps: [] },
    status: undefined,
    settlesInMs,
    maySendInMs: 0,
  };
}

/** Facts about a work that has nothing left in the member. */
function releasing(work: Work, wait: Pick<Facts, "manager" | "settlesInMs">): Facts {
  const facts = gathering(work, wait);
  return wait.settlesInMs > 0 ? facts : { ...facts, plan: { steps: [{ do: "releaseWork" }] } };
}

/** Whether the member is not there yet: what it says now is about to change. */
function isUnderWay(status: Work["status"]): boolean {
  return status?.manifestStatuses?.some(({ health }) => health === "Unhealthy") ?? false;
}

/** Why a member takes nothing from us, where that is for people to mend. */
function refusalOf(cluster: Cluster | undefined): string | undefined {
  const { type, credentialsRefused } = readyCondition;
  const ready = cluster?.status?.conditions?.find((each) => each.type === type);
  return ready?.status === "False" && ready.reason === credentialsRefused.reason ? ready.message : undefined;
}

function isReady(cluster: Cluster | undefined): boolean {
  return (
    cluster?.status?.conditions?.some(({ type, status }) => type === readyCondition.type && status === "True") ?? false
  );
}
