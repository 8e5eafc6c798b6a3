import { expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { takeSnapshot } from "#scheduling/cluster-facts.ts";
import { decidePlacing } from "./decide-placing.ts";

test("what has left while the binding was told to stay is made up for", () => {
  const replicaScheduling = { replicaSchedulingType: "Divided", replicaDivisionPreference: "Weighted" } as const;
  const cluster = (name: string) =>
    ({
      metadata: { name },
      spec: {},
      status: {
        apiEnablements: [{ groupVersion: "apps/v1", resources: [{ name: "deployments", kind: "Deployment" }] }],
      },
    }) as unknown as Cluster; // what is looked at
  const binding = {
    metadata: {
      name: "web-deployment",
      generation: 2,
      labels: { "propagationpolicy.karmada.io/permanent-id": "p" },
      annotations: { "policy.karmada.io/applied-placement": JSON.stringify({ replicaScheduling }) },
    },
    spec: {
      resource: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      placement: { replicaScheduling },
      replicas: 1,
      clusters: [{ name: "gone", replicas: 1 }],
    },
  } as unknown as Binding; // as above
  const facts = { binding, clusters: takeSnapshot([cluster("m2")]), options: {}, now: "2026-11-15T00:00:00Z" };
  expect(decidePlacing(facts).spec?.spec.clusters).toEqual([{ name: "m2", replicas: 1 }]);
});
