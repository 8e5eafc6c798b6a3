import type { Fields } from "#api/meta/object-meta.ts";
import { memberResources } from "../member-resources.ts";
import { podCreation } from "../pods/new-pod.ts";
import { controlledBy, type SimulatedObject } from "../simulated-object.ts";
import type { Step } from "../step.ts";
import { revisionHashLabel } from "./revision-history.ts";

export interface StatefulPodOrder {
  readonly set: SimulatedObject;
  readonly ordinal: number;
  readonly template: Fields;
  readonly revision: string;
  /** Names of the claims that exist in the namespace. */
  readonly hasClaim: (name: string) => boolean;
}

/** The steps that bring up one pod: its claims first, then itself. */
export function statefulPodCreation({ set, ordinal, template, revision, hasClaim }: StatefulPodOrder): readonly Step[] {
  const name = podName(set, ordinal);
  const claims: readonly Fields[] = set.spec["volumeClaimTemplates"] ?? [];
  const claimName = (claim: Fields) => `${claim["metadata"].name}-${name}`;
  const missing = claims.filter((claim) => !hasClaim(claimName(claim)));
  const volumes = claims.map((claim) => ({
    name: claim["metadata"].name,
    persistentVolumeClaim: { claimName: claimName(claim) },
  }));
  const own: readonly Fields[] = template["spec"].volumes ?? [];
  const kept = own.filter((volume) => !volumes.some((each) => each.name === volume["name"]));
  return [
    ...missing.map((claim) => claimCreation(set, claim, claimName(claim))),
    podCreation({
      ownerResource: memberResources.statefulSets,
      owner: { ...set, spec: { ...set.spec, template } },
      name,
      labels: {
        "statefulset.kubernetes.io/pod-name": name,
        "apps.kubernetes.io/pod-index": String(ordinal),
        [revisionHashLabel]: revision,
      },
      spec: {
        hostname: name,
        ...(set.spec["serviceName"] ? { subdomain: set.spec["serviceName"] } : {}),
        ...(volumes.length === 0 ? {} : { volumes: [...kept, ...volumes] }),
      },
    }),
  ];
}

export function podName({ metadata }: SimulatedObject, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

/** The number at the end of a pod's name; undefined when the pod is none of the set's. */
export function ordinalOf({ metadata }: SimulatedObject, pod: SimulatedObject): number | undefined {
  const prefix = `${metadata.name}-`;
  const rest = pod.metadata.name.slice(prefix.length);
  return pod.metadata.name.startsWith(prefix) && /^\d+$/.test(rest) ? Number(rest) : undefined;
}

function claimCreation(set: SimulatedObject, claim: Fields, name: string): Step {
  const { labels, annotations } = claim["metadata"];
  const owned = set.spec["persistentVolumeClaimRetentionPolicy"]?.whenDeleted === "Delete";
  const object = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name,
      namespace: set.metadata.namespace ?? "",
      labels: { ...labels, ...set.spec["selector"]?.matchLabels },
      ...(annotations === undefined ? {} : { annotations }),
      ...(owned ? { ownerReferences: [controlledBy(memberResources.statefulSets, set)] } : {}),
    },
    spec: claim["spec"],
  };
  return { do: "create", resource: memberResources.persistentVolumeClaims, object };
}
