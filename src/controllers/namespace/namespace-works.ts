import type { Cluster } from "#api/cluster/cluster.ts";
import { executionNamespaceOf, isReservedNamespace } from "#api/cluster/namespaces.ts";
import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { workNameOf } from "#api/work/derived-names.ts";
import { executionFinalizer } from "#api/work/finalizers.ts";
import { skipAutoPropagationLabel } from "#api/work/template-keys.ts";
import { type Work, Works } from "#api/work/work.ts";
import {
  conflictResolutionAnnotation,
  managedLabel,
  workNameAnnotation,
  workNamespaceAnnotation,
} from "#api/work/work-keys.ts";
import { mergeMembers } from "#base/json.ts";
import { pruneManifest } from "#interpreter/prune-manifest.ts";
import { applyOverrides } from "#overrides/apply-overrides.ts";
import type { PreparedOverride } from "#overrides/prepared-override.ts";

export interface NamespaceFacts {
  readonly namespace: ApiObject;
  readonly cluster: Cluster;
  /** Cluster-scoped ones. */
  readonly overrides: readonly PreparedOverride[];
}

/** Whether a namespace follows to the members by itself. */
export function isFollowing({ metadata }: ApiObject): boolean {
  const { name, labels = {}, deletionTimestamp } = metadata;
  if (name === "default" || name.startsWith("kube-") || isReservedNamespace(name) || deletionTimestamp !== undefined)
    return false;
  return labels[skipAutoPropagationLabel]?.toLowerCase() !== "true";
}

/** The work that brings a namespace to one cluster; undefined when an override does not fit it. It goes when the namespace goes. */
export function renderNamespaceWork({ namespace, cluster, overrides }: NamespaceFacts): Work | undefined {
  const { metadata } = namespace;
  const pruned = pruneManifest(namespace as unknown as Manifest); // an object with its identity
  if (!pruned.ok) return undefined;
  const rendered = applyOverrides(pruned.value, { overrides, cluster });
  if (!rendered.ok) return undefined;
  const name = workNameOf({ kind: namespace.kind, name: metadata.name });
  const home = executionNamespaceOf(cluster.metadata.name);
  const { manifest } = rendered;
  const conflict = { [conflictResolutionAnnotation]: "abort" }; // a namespace that is there already serves as it is
  return {
    apiVersion: `${Works.group}/${Works.version}`,
    kind: Works.kind,
    metadata: {
      name,
      namespace: home,
      annotations: conflict,
      finalizers: [executionFinalizer],
      ownerReferences: [
        {
          apiVersion: "v1",
          kind: "Namespace",
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      workload: {
        manifests: [
          {
            ...manifest,
            metadata: mergeMembers<unknown>(manifest.metadata, {
              labels: mergeMembers(manifest.metadata.labels, { [managedLabel]: "true" }),
              annotations: mergeMembers(manifest.metadata.annotations, conflict, {
                [workNameAnnotation]: name,
                [workNamespaceAnnotation]: home,
              }),
            }),
          },
        ],
      },
    },
  } as unknown as Work; // complete once stored
}
