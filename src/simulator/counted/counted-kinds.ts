import type { Fields } from "#api/meta/object-meta.ts";
import { daemonSetStatus } from "../apps/decide-daemon-set.ts";
import { replicaSetStatus } from "../apps/decide-replica-set.ts";
import { deadlineMs, deploymentStatus } from "../apps/deployment-status.ts";
import { templateRevision } from "../apps/revision-history.ts";
import { rolloutLimits } from "../apps/rollout-limits.ts";
import { statefulSetStatus } from "../apps/stateful-set-status.ts";
import { decideExpiry } from "../batch/decide-job.ts";
import type { JobCounts } from "../batch/job-counts.ts";
import { finishedAt, type JobEnd, jobStatus } from "../batch/job-status.ts";
import { findCondition } from "../conditions.ts";
import { type MemberResource, memberResources } from "../member-resources.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import type { CountedFacts, CountedKind, CountedState } from "./decide-counted.ts";

const startPace = ({ startMs }: { readonly startMs: number }) => startMs;

/** The kinds whose pods can be counted instead of created, by cache. */
export const countedKinds: Readonly<Partial<Record<MemberResource, CountedKind>>> = {
  deployments: {
    resource: memberResources.deployments,
    restMs: startPace,
    statusAt: deploymentAt,
    wakeMs: ({ workload }, status) => deadlineMs({ spec: workload.spec, status }),
  },
  replicaSets: { resource: memberResources.replicaSets, restMs: startPace, statusAt: replicaSetAt },
  replicationControllers: {
    resource: memberResources.replicationControllers,
    restMs: startPace,
    statusAt: replicaSetAt,
  },
  statefulSets: { resource: memberResources.statefulSets, restMs: startPace, statusAt: statefulSetAt },
  daemonSets: { resource: memberResources.daemonSets, restMs: startPace, statusAt: daemonSetAt },
  jobs: {
    resource: memberResources.jobs,
    restMs: ({ startMs, jobMs }) => startMs + jobMs,
    statusAt: jobAt,
    afterwards: ({ workload, nowMs }) => {
      const finished = finishedAt(workload);
      return finished === undefined ? { steps: [] } : decideExpiry(workload, { finished, nowMs });
    },
  },
};

function deploymentAt({ workload, nowMs, replicaSetName }: CountedFacts, state: CountedState): Fields {
  const { spec } = workload;
  const replicaSet = replicaSetName(workload);
  const wanted: number = spec["replicas"] ?? 1;
  const settled = { replicas: wanted, updated: wanted, ready: wanted, available: wanted };
  const progress = findCondition(workload, "Progressing");
  const known = progress?.["message"]?.includes(`"${replicaSet}"`) === true;
  const before: number = workload.status?.["availableReplicas"] ?? 0;
  if (spec["paused"] === true && progress !== undefined && !known) {
    const counts = { replicas: wanted, updated: 0, ready: wanted, available: wanted };
    return deploymentStatus({ deployment: workload, counts, replicaSet: undefined, nowMs });
  }
  if (state === "settled") return deploymentStatus({ deployment: workload, counts: settled, replicaSet, nowMs });
  const counts = known || before === 0 ? growing(workload, state) : rolling(workload, before);
  return deploymentStatus({ deployment: workload, counts, replicaSet, nowMs });
}

/** Of one template: those that were ready before still are, unless the template itself is what is wrong. */
function growing({ spec, status }: SimulatedObject, state: CountedState) {
  const wanted: number = spec["replicas"] ?? 1;
  const ready = state === "stuck" ? 0 : Math.min(status?.["readyReplicas"] ?? 0, wanted);
  return { replicas: wanted, updated: wanted, ready, available: ready };
}

/** A new template next to an old one that served: as many of each as the limits allow. */
function rolling({ spec }: SimulatedObject, before: number) {
  const wanted: number = spec["replicas"] ?? 1;
  const { surge, unavailable } = rolloutLimits(spec);
  const kept = Math.min(before, Math.max(wanted - unavailable, 0));
  const updated = Math.min(wanted + surge - kept, wanted);
  return { replicas: kept + updated, updated, ready: kept, available: kept };
}

function replicaSetAt({ workload }: CountedFacts, state: CountedState): Fields {
  const wanted: number = workload.spec["replicas"] ?? 1;
  const { ready } = state === "settled" ? { ready: wanted } : growing(workload, state);
  return replicaSetStatus(workload, { replicas: wanted, ready, available: ready, fullyLabeled: wanted });
}

function statefulSetAt({ workload }: CountedFacts, state: CountedState): Fields {
  const wanted: number = workload.spec["replicas"] ?? 1;
  const updateRevision = `${workload.metadata.name}-${templateRevision(workload)}`;
  const before: string = workload.status?.["currentRevision"] ?? updateRevision;
  const same = before === updateRevision;
  if (state === "settled") {
    const counts = { replicas: wanted, ready: wanted, available: wanted };
    return statefulSetStatus({ set: workload, counts, updateRevision, ofRevision: () => wanted });
  }
  const had = Math.min(workload.status?.["readyReplicas"] ?? 0, wanted);
  // pods follow one another: the one that is not ready holds up the rest
  const replicas = same ? Math.min(had + 1, wanted) : wanted;
  const ready = same ? had : Math.max(Math.min(had, wanted - 1), 0);
  const ofRevision = (name: string) => (same ? replicas : name === updateRevision ? Math.min(1, wanted) : wanted - 1);
  return statefulSetStatus({
    set: workload,
    counts: { replicas, ready, available: ready },
    updateRevision,
    ofRevision,
  });
}

function daemonSetAt({ workload, fittingNodes }: CountedFacts, state: CountedState): Fields {
  const desired = fittingNodes();
  const had = Math.min(workload.status?.["numberReady"] ?? 0, desired);
  const rolls = workload.status?.["observedGeneration"] !== undefined;
  const ready = state === "settled" ? desired : rolls && had > 0 ? Math.max(had - 1, 0) : 0;
  const counts = { desired, scheduled: desired, misscheduled: 0, ready, available: ready };
  return daemonSetStatus(workload, { ...counts, updated: state === "settled" || !rolls ? desired : desired - ready });
}

const nobody: JobCounts = { active: 0, ready: 0, terminating: 0, succeeded: 0, failed: 0, completedIndexes: [] };

function jobAt(facts: CountedFacts, state: CountedState): Fields {
  const { workload: job, nowMs, fault } = facts;
  const parallelism: number = job.spec["parallelism"] ?? 1;
  const completions: number = job.spec["completions"] ?? parallelism;
  if (finishedAt(job) !== undefined) return job.status ?? {};
  if (job.spec["suspend"] === true) return jobStatus({ job, counts: nobody, end: undefined, nowMs });
  if (state === "settled") {
    const indexed = job.spec["completionMode"] === "Indexed";
    const completedIndexes = indexed ? Array.from({ length: completions }, (_, index) => index) : [];
    const counts = { ...nobody, succeeded: completions, completedIndexes };
    return jobStatus({ job, counts, end: { as: "complete" }, nowMs });
  }
  if (fault?.kind === "fail" || fault?.kind === "crash-loop") {
    const message = "Job has reached the specified backoff limit";
    const end: JobEnd = { as: "failed", reason: "BackoffLimitExceeded", message };
    return jobStatus({ job, counts: { ...nobody, failed: (job.spec["backoffLimit"] ?? 6) + 1 }, end, nowMs });
  }
  const active = Math.min(parallelism, completions);
  return jobStatus({ job, counts: { ...nobody, active }, end: undefined, nowMs });
}
