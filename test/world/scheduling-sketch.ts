import type { Cluster } from "#api/cluster/cluster.ts";
import type { Binding, BindingSpec } from "#api/work/resource-binding.ts";
import type { Candidate } from "#scheduling/candidates.ts";
import { clusterFacts } from "#scheduling/cluster-facts.ts";

/** What a test says of a cluster; the rest is as in a healthy one that serves Deployments. */
export interface ClusterSketch {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Partial<Cluster["spec"]>;
  /** How many more pods fit. */
  readonly pods?: number;
  readonly leaving?: boolean;
  readonly status?: Cluster["status"];
}

export function sketchCluster({ name, labels, spec, pods = 100, leaving, status }: ClusterSketch): Cluster {
  const resources = [{ name: "deployments", kind: "Deployment" }];
  return {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: {
      name,
      uid: "",
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...(labels !== undefined && { labels }),
      ...(leaving === true && { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    },
    spec: { syncMode: "Push", ...spec },
    status: status ?? {
      apiEnablements: [{ groupVersion: "apps/v1", resources }],
      resourceSummary: { allocatable: { pods: String(pods) } },
    },
  };
}

/** What a test says of a binding; the rest is as in one of a Deployment. */
export interface BindingSketch {
  readonly kind?: Binding["kind"];
  readonly generation?: number;
  readonly applied?: string;
  readonly leaving?: boolean;
  readonly spec?: Partial<BindingSpec>;
  readonly status?: Binding["status"];
}

export function sketchBinding(sketch: BindingSketch): Binding {
  const { kind = "ResourceBinding", generation = 2, applied, leaving, spec, status } = sketch;
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind,
    metadata: {
      name: "web-deployment",
      uid: "",
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      generation,
      ...(kind === "ResourceBinding" && { namespace: "shop" }),
      ...(applied !== undefined && { annotations: { "policy.karmada.io/applied-placement": applied } }),
      ...(leaving === true && { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    },
    spec: sketchSpec(spec),
    ...(status !== undefined && { status }),
  };
}

export function sketchSpec(spec: Partial<BindingSpec> = {}): BindingSpec {
  const resource = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
  return { resource, conflictResolution: "Abort", ...spec };
}

/** A candidate with so much room, of which `running` is taken by the template itself. */
export function sketchCandidate(
  name: string,
  { room = 0, running = 0, tier = 0, score = 0, region = "", spec = {} as Partial<Cluster["spec"]> } = {},
): Candidate {
  const facts = clusterFacts(sketchCluster({ name, spec: { ...spec, ...(region !== "" && { region }) } }));
  return { name, facts, score, allocatable: room, available: room + running, overflowOrder: tier };
}

/** `m1:2 m2:3`, for rows that read as sentences. */
export function printShares(
  shares: readonly { readonly name: string; readonly replicas?: number }[] | undefined,
): string {
  if (shares === undefined) return "none";
  return shares.map(({ name, replicas }) => (replicas === undefined ? name : `${name}:${replicas}`)).join(" ");
}

/** The inverse of printShares. */
export function readShares(text: string): { name: string; replicas: number }[] {
  return text.split(" ").flatMap((part) => {
    const [name, replicas] = part.split(":");
    return name === undefined || name === "" ? [] : [{ name, replicas: Number(replicas ?? 0) }];
  });
}
