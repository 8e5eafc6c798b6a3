import type { Cluster } from "#api/cluster/cluster.ts";
import { labelRequirementsOf } from "#api/meta/label-selector.ts";
import type { ClusterAffinity } from "#api/policy/cluster-affinity.ts";
import { untoleratedTaint } from "#scheduling/untolerated-taint.ts";
import { compileClusterAffinity } from "#selection/cluster-affinity.ts";
import type { Finding } from "./finding.ts";
import type { ReadPolicy } from "./lint-selectors.ts";
import { contradictingKey } from "./selector-relations.ts";

/** Placements that nothing satisfies: by themselves, or with the clusters that have joined, where these are known. */
export function lintPlacement(read: ReadPolicy, clusters: readonly Cluster[] | undefined): readonly Finding[] {
  const { placement = {} } = read.policy.spec;
  const affinities = affinitiesOf(placement);
  const hopeless = affinities.flatMap(({ affinity, field }) => emptyAffinity(affinity, `${read.name}: ${field}`));
  if (hopeless.length > 0) return hopeless;
  return [...tooFew(read), ...(clusters === undefined ? [] : withClusters(read, clusters))];
}

/** The affinities of a placement, each with its field. */
export function affinitiesOf(placement: NonNullable<ReadPolicy["policy"]["spec"]["placement"]>) {
  const { clusterAffinity, clusterAffinities = [] } = placement;
  return [
    ...(clusterAffinity === undefined ? [] : [{ affinity: clusterAffinity, field: "spec.placement.clusterAffinity" }]),
    ...clusterAffinities.map((affinity, at) => ({ affinity, field: `spec.placement.clusterAffinities[${at}]` })),
  ];
}

function emptyAffinity(affinity: ClusterAffinity, where: string): readonly Finding[] {
  const { clusterNames = [], exclude = [], labelSelector } = affinity;
  const isAllExcluded = clusterNames.length > 0 && clusterNames.every((name) => exclude.includes(name));
  const key = labelSelector && contradictingKey(labelRequirementsOf(labelSelector));
  if (!isAllExcluded && key === undefined) return [];
  const why = isAllExcluded
    ? "exclude vetoes every cluster that clusterNames names"
    : `no cluster has a label ${key} that meets all of its requirements`;
  return [{ code: "placement-empty", severity: "error", where, why, advice: "take one of the two out" }];
}

function tooFew({ policy, name }: ReadPolicy): readonly Finding[] {
  const { clusterAffinity, spreadConstraints = [] } = policy.spec.placement ?? {};
  const { clusterNames = [], exclude = [] } = clusterAffinity ?? {};
  const count = clusterNames.filter((each) => !exclude.includes(each)).length;
  return spreadConstraints.flatMap(
    ({ spreadByField = "cluster", spreadByLabel, minGroups = 1 }, at): readonly Finding[] =>
      count === 0 || spreadByLabel !== undefined || minGroups <= count
        ? []
        : [
            {
              code: "too-few-clusters",
              severity: "error",
              where: `${name}: spec.placement.spreadConstraints[${at}]`,
              why: `it wants ${minGroups} groups by ${spreadByField} of ${count} named ${count === 1 ? "cluster" : "clusters"}`,
              advice: "name more clusters, or lower minGroups",
            },
          ],
  );
}

function withClusters({ policy, name }: ReadPolicy, clusters: readonly Cluster[]): readonly Finding[] {
  const { placement = {} } = policy.spec;
  const affinities = affinitiesOf(placement);
  const known = new Set(clusters.map(({ metadata }) => metadata.name));
  const strangers = affinities.flatMap(({ affinity, field }) =>
    (affinity.clusterNames ?? []).filter((each) => !known.has(each)).map((cluster) => ({ cluster, field })),
  );
  const tolerations = placement.clusterTolerations ?? [];
  const candidates = clusters.filter(
    (cluster) =>
      affinities.length === 0 ||
      affinities.some(({ affinity }) => compileClusterAffinity(affinity).mismatch(cluster) === undefined),
  );
  const keepsOut = ({ effect }: { readonly effect: string }) => effect !== "PreferNoSchedule";
  const open = candidates.filter(
    ({ spec }) => untoleratedTaint((spec.taints ?? []).filter(keepsOut), tolerations) === undefined,
  );
  return [
    ...strangers.map(
      ({ cluster, field }): Finding => ({
        code: "unknown-cluster",
        severity: "warning",
        where: `${name}: ${field}`,
        why: `no cluster ${JSON.stringify(cluster)} has joined`,
        advice: "correct the name, or let the cluster join",
      }),
    ),
    ...(open.length > 0 ? [] : [nowhere(name, candidates.length)]),
  ];
}

function nowhere(name: string, candidates: number): Finding {
  return {
    code: "no-cluster",
    severity: "error",
    where: `${name}: spec.placement`,
    why:
      candidates === 0
        ? "no cluster that has joined satisfies it"
        : "every cluster that satisfies it has a taint that it does not tolerate",
    advice:
      candidates === 0 ? "widen the affinity, or label a cluster" : "add a clusterToleration, or take the taint away",
  };
}
