import { performance } from "node:perf_hooks";
import type { Cluster } from "#api/cluster/cluster.ts";
import type { Placement } from "#api/policy/placement.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { printPlacement } from "#scheduling/applied-placement.ts";
import { takeSnapshot } from "#scheduling/cluster-facts.ts";
import { decideSchedule } from "#scheduling/decide-schedule.ts";
import type { BenchRow } from "./bench-row.ts";

const clusters = 100;
const bindings = 10_000;

const placements: Readonly<Record<string, Placement>> = {
  "duplicated over half of the clusters": { clusterAffinity: { labelSelector: { matchLabels: { env: "prod" } } } },
  "divided by fixed weights": {
    replicaScheduling: {
      replicaSchedulingType: "Divided",
      replicaDivisionPreference: "Weighted",
      weightPreference: {
        staticWeightList: [
          { targetCluster: { labelSelector: { matchLabels: { env: "prod" } } }, weight: 2 },
          { targetCluster: {}, weight: 1 },
        ],
      },
    },
  },
  "divided by room": {
    replicaScheduling: {
      replicaSchedulingType: "Divided",
      replicaDivisionPreference: "Weighted",
      weightPreference: { dynamicWeight: "AvailableReplicas" },
    },
  },
  "aggregated in two to four regions": {
    spreadConstraints: [
      { spreadByField: "region", minGroups: 2, maxGroups: 4 },
      { spreadByField: "cluster", minGroups: 3, maxGroups: 6 },
    ],
    replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Aggregated" },
  },
};

/** How long it takes to decide on many bindings over many clusters, first and when nothing has changed. */
export async function schedulingBenchmarks(): Promise<readonly BenchRow[]> {
  const fleet = Array.from({ length: clusters }, (_, index) => sampleCluster(index));
  const [snapshot, snapshotMs] = timed(() => takeSnapshot(fleet));
  const note = `${bindings.toLocaleString("en")} bindings, ${clusters} clusters`;
  const rows: BenchRow[] = [{ name: `scheduling: facts of ${clusters} clusters`, value: snapshotMs, unit: "ms" }];
  const decideAll = (placement: Placement, scheduled: boolean) => {
    for (let index = 0; index < bindings; index++) {
      decideSchedule({
        binding: sampleBinding(index, placement, scheduled),
        clusters: snapshot,
        options: {},
        now: "2026-01-01T00:00:00Z",
      });
    }
  };
  for (const [name, placement] of Object.entries(placements)) {
    const [, ms] = timed(() => decideAll(placement, false));
    rows.push({ name: `scheduling: ${name}`, value: ms / 1000, unit: "s", note });
  }
  const [, idleMs] = timed(() => decideAll(placements["divided by room"]!, true));
  rows.push({ name: "scheduling: nothing has changed", value: idleMs / 1000, unit: "s", note });
  return rows;
}

function timed<T>(work: () => T): readonly [T, number] {
  const started = performance.now();
  const result = work();
  return [result, performance.now() - started];
}

function sampleCluster(index: number): Cluster {
  return {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: {
      name: `member-${String(index).padStart(3, "0")}`,
      uid: "",
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: { env: index % 2 === 0 ? "prod" : "test" },
    },
    spec: { syncMode: "Push", region: `region-${index % 8}` },
    status: {
      apiEnablements: [{ groupVersion: "apps/v1", resources: [{ name: "deployments", kind: "Deployment" }] }],
      resourceSummary: {
        allocatable: { cpu: "100", memory: "400Gi", pods: "1000" },
        allocated: { cpu: "20", memory: "40Gi", pods: String(index) },
      },
    },
  };
}

function sampleBinding(index: number, placement: Placement, scheduled: boolean): Binding {
  const applied = scheduled
    ? { annotations: { "policy.karmada.io/applied-placement": printPlacement(placement) } }
    : {};
  const metadata = { name: `web-${index}`, uid: "", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { ...metadata, namespace: "shop", generation: 1, ...applied },
    spec: {
      resource: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        namespace: "shop",
        name: `web-${index}`,
        uid: `uid-${index}`,
      },
      conflictResolution: "Abort",
      replicas: 50,
      replicaRequirements: { resourceRequest: { cpu: "100m", memory: "128Mi" } },
      placement,
      ...(scheduled && { clusters: [{ name: "member-000", replicas: 50 }] }),
    },
  };
}
