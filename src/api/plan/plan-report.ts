/** What changes would do, template by template, as `plan` answers it. */
export interface PlanReport {
  readonly totals: PlanTotals;
  /** What becomes of the objects of the manifests themselves, in the order given; those that say nothing new are left out. */
  readonly edits: readonly PlannedEdit[];
  /** Those that would be affected, by kind, namespace and name. */
  readonly templates: readonly PlannedTemplate[];
}

/** What would become of the object of a manifest. */
export interface PlannedEdit {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly does: "created" | "changed" | "deleted";
}

/** How much would happen. */
export interface PlanTotals {
  /** Templates that are affected in any way. */
  readonly templates: number;
  /** Of these, those that get another policy. */
  readonly claims: number;
  /** Of these, those that would be in other clusters, or divided otherwise. */
  readonly moves: number;
  /** Objects in members. */
  readonly creates: number;
  readonly changes: number;
  readonly deletes: number;
  /** Copies of workloads whose pods restart. */
  readonly restarts: number;
  /** Replicas that are down at the same time, at most. */
  readonly replicasDown: number;
  /** Templates of which something waits. */
  readonly pending: number;
}

/** What would become of one template. */
export interface PlannedTemplate {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** What the manifests do to the template itself. */
  readonly edit?: "created" | "changed" | "deleted";
  /** By whom it is claimed, where that changes, and by which rule; of a new claim also where only its reason is news. */
  readonly policy?: PlannedClaim;
  /** Whether it leaves clusters, or is divided otherwise. */
  readonly moves: boolean;
  readonly clusters: { readonly before: readonly PlannedTarget[]; readonly after: readonly PlannedTarget[] };
  readonly objects: readonly PlannedObject[];
  /** The bindings that it follows as a dependency, as `namespace/name`. */
  readonly follows?: readonly string[];
  readonly pending: readonly PlannedWait[];
}

export interface PlannedClaim {
  /** `PropagationPolicy shop/web`, or `ClusterPropagationPolicy everything`; absent: none. */
  readonly before?: string;
  readonly after?: string;
  readonly rule?: string;
}

export interface PlannedTarget {
  readonly name: string;
  readonly replicas?: number;
}

/** What would happen to one object in a member. */
export interface PlannedObject {
  readonly cluster: string;
  /** `releases`: it stays, and belongs to the member from then on. */
  readonly does: "creates" | "changes" | "deletes" | "releases";
  /** What changes, as `path: before → after`. */
  readonly fields?: readonly string[];
  /** Whether pods restart: their template differs. */
  readonly restarts?: boolean;
  /** Replicas that are down at the same time, at most. */
  readonly replicasDown?: number;
}

/** Something that does not happen, and why. */
export interface PlannedWait {
  readonly why: "static" | "suspended" | "no fit" | "refused" | "not ready" | "leaving";
  readonly message: string;
  /** Where; absent: everywhere. */
  readonly clusters?: readonly string[];
}
