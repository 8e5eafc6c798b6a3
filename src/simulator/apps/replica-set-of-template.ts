import type { Fields } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import type { NewObject } from "#client/client.ts";
import { memberResources } from "../member-resources.ts";
import { controlledBy, oldestFirst, type SimulatedObject } from "../simulated-object.ts";
import { contentHash } from "../stable-hash.ts";
import { rolloutLimits } from "./rollout-limits.ts";

const hashLabel = "pod-template-hash";
export const revisionAnnotation = "deployment.kubernetes.io/revision";
export const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
export const maxAnnotation = "deployment.kubernetes.io/max-replicas";
const ownAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  "deployment.kubernetes.io/revision-history",
  desiredAnnotation,
  maxAnnotation,
  "deprecated.deployment.rollback.to",
]);

/** The name of the ReplicaSet for a Deployment's template. */
export function replicaSetName(deployment: SimulatedObject): string {
  return `${deployment.metadata.name}-${hashOf(deployment)}`;
}

/** The same names, where they are asked for again and again: templates that are one object are read once. */
export class ReplicaSetNames {
  readonly #hashes = new WeakMap<object, string>();

  of(deployment: SimulatedObject): string {
    const { metadata, spec, status } = deployment;
    const template: unknown = spec["template"];
    if (typeof template !== "object" || template === null || status?.["collisionCount"])
      return replicaSetName(deployment);
    let hash = this.#hashes.get(template);
    if (hash === undefined) {
      hash = hashOf(deployment);
      this.#hashes.set(template, hash);
    }
    return `${metadata.name}-${hash}`;
  }
}

/** The ReplicaSet that has the Deployment's present template; the oldest, should there be several. */
export function findReplicaSet(
  deployment: SimulatedObject,
  replicaSets: readonly SimulatedObject[],
): SimulatedObject | undefined {
  const template = deployment.spec["template"];
  return replicaSets.toSorted(oldestFirst).find(({ spec }) => jsonEquals(withoutHash(spec["template"]), template));
}

export function revisionOf({ metadata }: SimulatedObject): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0);
}

export interface ReplicaSetOrder {
  readonly deployment: SimulatedObject;
  readonly replicas: number;
  readonly revision: number;
}

/** A new ReplicaSet for the Deployment's template. */
export function newReplicaSet({ deployment, replicas, revision }: ReplicaSetOrder): NewObject {
  const { spec, metadata } = deployment;
  const hash = hashOf(deployment);
  const template: Fields = spec["template"];
  const labels = { ...template["metadata"]?.labels, [hashLabel]: hash };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: replicaSetName(deployment),
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels,
      annotations: replicaSetAnnotations(deployment, revision),
      ownerReferences: [controlledBy(memberResources.deployments, deployment)],
    },
    spec: {
      replicas,
      ...(spec["minReadySeconds"] ? { minReadySeconds: spec["minReadySeconds"] } : {}),
      selector: {
        ...spec["selector"],
        matchLabels: { ...spec["selector"]?.matchLabels, [hashLabel]: hash },
      },
      template: { ...template, metadata: { ...template["metadata"], labels } },
    },
  };
}

/** What the newest ReplicaSet says about its Deployment. */
export function replicaSetAnnotations(deployment: SimulatedObject, revision: number): Record<string, string> {
  const { metadata } = deployment;
  const copied = Object.entries(metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key));
  return { ...Object.fromEntries(copied), ...sizeAnnotations(deployment), [revisionAnnotation]: String(revision) };
}

/** For which number of replicas a ReplicaSet was sized, and how many there may be of all of them. */
export function sizeAnnotations({ spec }: SimulatedObject): Record<string, string> {
  const replicas: number = spec["replicas"] ?? 1;
  return { [desiredAnnotation]: String(replicas), [maxAnnotation]: String(replicas + rolloutLimits(spec).surge) };
}

function hashOf({ spec, status }: SimulatedObject): string {
  return contentHash([spec["template"], status?.["collisionCount"] ?? 0]);
}

function withoutHash(template: Fields): Fields {
  const { [hashLabel]: _, ...labels } = template["metadata"]?.labels ?? {};
  return { ...template, metadata: { ...template["metadata"], labels } };
}
