interface Gate {
  readonly default: boolean;
  /** What holds while it is on. */
  readonly means: string;
}

/** Every gate that can be turned, with what it does. */
export const featureGates = {
  StaticPolicy: {
    default: false,
    means: "every policy is static: an edited policy waits until its workload is edited",
  },
  PropagationPolicyPreemption: { default: false, means: "policies that preempt take templates from others" },
  PropagateDeps: { default: true, means: "what a workload refers to follows it, where its policy says so" },
  PropagateDependents: { default: true, means: "so do Services that select its pods, and Ingresses to these" },
  Failover: { default: false, means: "workloads leave clusters and applications that fail" },
  GracefulEviction: { default: true, means: "what leaves a failed cluster goes once its replacement is healthy" },
  PriorityBasedScheduling: { default: true, means: "bindings of higher priority are placed first" },
  TemplateConflictResolution: {
    default: true,
    means: "a template's own annotation may take over what a member has, whatever its policy says",
  },
  ClearTargetsWhenNoFit: {
    default: false,
    means: "a binding that no cluster fits loses its targets, as in Karmada",
  },
} as const satisfies Readonly<Record<string, Gate>>;

export type FeatureGate = keyof typeof featureGates;
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;

/** Gates of Karmada that have one legal value here: what they turn on is either always there or not built. */
export const fixedGates: Readonly<Record<string, boolean>> = {
  CustomizedClusterResourceModeling: true,
  ControllerPriorityQueue: true,
  MultiClusterService: false,
  ResourceQuotaEstimate: false,
  StatefulFailoverInjection: false,
  FederatedQuotaEnforcement: false,
  MultiplePodTemplatesScheduling: false,
  WorkloadAffinity: false,
  SchedulingOvercommitProtection: false,
};

/** The defaults, but for what is given. */
export function gatesWith(given: Partial<FeatureGates> = {}): FeatureGates {
  const defaults = Object.fromEntries(Object.entries(featureGates).map(([name, gate]) => [name, gate.default]));
  return { ...defaults, ...given } as FeatureGates; // the table has every name
}

/** Whether a gate of that name can be turned. */
export function isFeatureGate(name: string): name is FeatureGate {
  return Object.hasOwn(featureGates, name);
}
