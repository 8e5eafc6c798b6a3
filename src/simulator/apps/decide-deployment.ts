import { labelRequirementsOf } from "#api/meta/label-selector.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import { decideClaims } from "../claim.ts";
import { memberResources } from "../member-resources.ts";
import { isBeingDeleted, oldestFirst, type SimulatedObject } from "../simulated-object.ts";
import { type Step, statusSteps, together } from "../step.ts";
import { decideRollout, type Scaling } from "./decide-rollout.ts";
import { type DeploymentCounts, deadlineMs, deploymentStatus, isComplete } from "./deployment-status.ts";
import {
  findReplicaSet,
  newReplicaSet,
  replicaSetAnnotations,
  revisionAnnotation,
  revisionOf,
  sizeAnnotations,
} from "./replica-set-of-template.ts";

export interface DeploymentFacts {
  readonly deployment: SimulatedObject;
  readonly replicaSets: readonly SimulatedObject[];
  readonly orphans: readonly SimulatedObject[];
  /** Pods of ReplicaSets other than the newest that have not ended: Recreate waits for them. */
  readonly hasPods: (replicaSet: SimulatedObject) => boolean;
  readonly nowMs: number;
}

const { deployments, replicaSets: sets } = memberResources;

/**
 * One ReplicaSet per template that the Deployment has had, the newest brought up as the others go down.
 *
 * Upstream: k8s.io/kubernetes pkg/controller/deployment.
 */
export function decideDeployment(facts: DeploymentFacts): Plan<Step> {
  const { deployment, nowMs } = facts;
  const claims = decideClaims({
    ownerResource: deployments,
    owner: deployment,
    selector: labelRequirementsOf(deployment.spec["selector"] ?? {}),
    resource: sets,
    owned: facts.replicaSets,
    orphans: facts.orphans,
  });
  if (claims.steps.length > 0) return { steps: together(claims.steps) };
  const all = claims.claimed.toSorted(oldestFirst);
  const newest = findReplicaSet(deployment, all);
  const old = all.filter((set) => set !== newest);
  const counts = countReplicaSets(all, newest);
  const acting = isBeingDeleted(deployment) ? [] : decideReplicaSets(facts, { newest, old, counts });
  if (acting.length > 0) return { steps: acting };
  const status = deploymentStatus({ deployment, counts, replicaSet: newest?.metadata.name, nowMs });
  const steps = statusSteps(deployments, deployment, status);
  const due = deadlineMs({ spec: deployment.spec, status });
  if (due === undefined) return { steps };
  return { steps, waitFor: { reason: "progress deadline", retryAfterMs: Math.max(due - nowMs, 0) } };
}

interface Present {
  readonly newest: SimulatedObject | undefined;
  readonly old: readonly SimulatedObject[];
  readonly counts: DeploymentCounts;
}

/** What to do about the ReplicaSets; nothing left to do: the status is next. */
function decideReplicaSets(facts: DeploymentFacts, present: Present): readonly Step[] {
  const { deployment } = facts;
  const { newest, old, counts } = present;
  const revision = newestRevision(present);
  const paused = deployment.spec["paused"] === true;
  const rollout = decideRollout({ ...facts, newest, old });
  if (newest === undefined) {
    if (paused || rollout.creation === undefined) return together(scaleSteps(deployment, rollout.scalings));
    const object = newReplicaSet({ deployment, replicas: rollout.creation, revision });
    return [{ do: "create", resource: sets, object }];
  }
  const annotations = replicaSetAnnotations(deployment, revision);
  const scaling = rollout.scalings.find(({ set }) => set === newest);
  const others = scaleSteps(
    deployment,
    rollout.scalings.filter(({ set }) => set !== newest),
  );
  const renamed = !paused && !jsonEquals(newest.metadata.annotations, annotations);
  const resized =
    (scaling !== undefined && scaling.replicas !== newest.spec["replicas"]) ||
    (newest.spec["minReadySeconds"] ?? 0) !== (deployment.spec["minReadySeconds"] ?? 0);
  const own = renamed || resized ? [newestStep(facts, { newest, annotations, replicas: scaling?.replicas })] : [];
  const history = !paused && isComplete(deployment, counts) ? surplusHistory(deployment, old) : [];
  const steps = [...own, ...others, ...history, ...(paused ? [] : revisionStep(deployment, revision))];
  return together(steps);
}

function newestStep(
  { deployment }: DeploymentFacts,
  change: { newest: SimulatedObject; annotations: Record<string, string>; replicas: number | undefined },
): Step {
  const { newest, annotations, replicas } = change;
  const spec = {
    ...newest.spec,
    replicas: replicas ?? newest.spec["replicas"],
    minReadySeconds: deployment.spec["minReadySeconds"],
  };
  const metadata = { ...newest.metadata, annotations };
  return { do: "update", resource: sets, object: { ...newest, metadata, spec } };
}

/** A ReplicaSet that is sized remembers for which number. */
function scaleSteps(deployment: SimulatedObject, scalings: readonly Scaling[]): readonly Step[] {
  return scalings.flatMap(({ set, replicas }) => {
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
    if (set.spec["replicas"] === replicas && jsonEquals(set.metadata.annotations, annotations)) return [];
    const object = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } };
    return [{ do: "update", resource: sets, object }];
  });
}

/** The newest is one above all others; one that was rolled back to becomes the newest again. */
function newestRevision({ newest, old }: Present): number {
  const others = Math.max(0, ...old.map(revisionOf));
  const own = newest === undefined ? 0 : revisionOf(newest);
  return own > others ? own : others + 1;
}

function revisionStep(deployment: SimulatedObject, revision: number): readonly Step[] {
  if (deployment.metadata.annotations?.[revisionAnnotation] === String(revision)) return [];
  const patch = { metadata: { annotations: { [revisionAnnotation]: String(revision) } } };
  return [{ do: "patch", resource: deployments, object: deployment, patch }];
}

function surplusHistory(deployment: SimulatedObject, old: readonly SimulatedObject[]): readonly Step[] {
  const limit: number = deployment.spec["revisionHistoryLimit"] ?? 10;
  const removable = old.filter(
    (set) => !isBeingDeleted(set) && set.spec["replicas"] === 0 && (set.status?.["replicas"] ?? 0) === 0,
  );
  const surplus = Math.max(removable.length - limit, 0);
  return removable
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, surplus)
    .map((object) => ({ do: "delete", resource: sets, object, because: "beyond the revision history limit" }));
}

function countReplicaSets(all: readonly SimulatedObject[], newest: SimulatedObject | undefined): DeploymentCounts {
  const sum = (field: string) => all.reduce((total, { status }) => total + (status?.[field] ?? 0), 0);
  return {
    replicas: sum("replicas"),
    updated: newest?.status?.["replicas"] ?? 0,
    ready: sum("readyReplicas"),
    available: sum("availableReplicas"),
  };
}
