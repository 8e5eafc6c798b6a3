import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import { withRelease } from "#api/work/released-clusters.ts";
import { type Activation, type Binding, type BindingSpec, ResourceBindings } from "#api/work/resource-binding.ts";
import { jsonEquals, setMember } from "#base/json.ts";
import { sameButRevision } from "#controllers/compare-bindings.ts";
import type { Interpretation } from "#interpreter/interpretation.ts";
import type { ReplicaDemand } from "#interpreter/replicas.ts";
import { type ClaimMetadata, withClaim } from "./claim.ts";
import type { SchedulePriority } from "./prerequisites.ts";

/** What a template asks for, as its interpreter reads it. */
export interface TemplateDemand {
  readonly replicas?: number;
  readonly replicaRequirements?: NonNullable<BindingSpec["replicaRequirements"]>;
}

/** The demand of a template; a kind without a rule asks for nothing. */
export function demandOf(interpreted: Interpretation<ReplicaDemand>): Interpretation<TemplateDemand> {
  if (!interpreted.ok) return interpreted.why === "no rule" ? { ok: true, value: {} } : interpreted;
  const { replicas, requirements } = interpreted.value;
  return {
    ok: true,
    value: { replicas, ...(requirements === undefined ? {} : { replicaRequirements: requirements }) },
  };
}

export interface BindingFacts {
  readonly template: ApiObject;
  readonly policy: Policy;
  /** How the policy marks what it holds. */
  readonly claim: ClaimMetadata;
  readonly demand: TemplateDemand;
  /** The template's binding as it is now. */
  readonly binding: Binding | undefined;
  /** What is recorded of this activation; absent where the policy acts at once anyway. */
  readonly activation?: Activation | undefined;
  readonly priority: SchedulePriority;
}

/** A binding as it should be; the same object when nothing is to be changed but the revision of the template that it knows. */
export function decideBinding(facts: BindingFacts): Binding {
  const { template, policy, claim, binding, demand, activation, priority } = facts;
  const { namespace, name } = template.metadata;
  const kind = ResourceBindings.kindFor(namespace);
  const traits = ResourceBindings.traits[kind.kind];
  const metadata = binding?.metadata;
  const spec = bindingSpec(template, policy, { demand, activation, priority, old: binding?.spec });
  const { labels, annotations } = withClaim(metadata ?? {}, claim);
  const wanted = {
    ...binding,
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: {
      ...metadata,
      name: bindingNameOf({ kind: template.kind, name }),
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      // what follows the template must know where it is held back
      annotations: withRelease(annotations, template.metadata),
      finalizers: [...new Set([...(metadata?.finalizers ?? []), traits.finalizer])],
      ownerReferences: [ownerReference(template)],
    },
    spec,
  } as unknown as Binding; // complete once stored
  return binding !== undefined && sameButRevision(wanted, binding) ? binding : wanted;
}

interface SpecParts extends Pick<BindingFacts, "demand" | "activation" | "priority"> {
  readonly old: BindingSpec | undefined;
}

/** The policy's and the template's part is replaced; what the scheduler and others wrote stays. */
function bindingSpec(
  template: ApiObject,
  policy: Policy,
  { demand, old, activation, priority }: SpecParts,
): BindingSpec {
  const { apiVersion, kind, metadata } = template;
  const { clusters, requiredBy, gracefulEvictionTasks, rescheduleTriggeredAt } = (old ?? {}) as Partial<BindingSpec>;
  return defined({
    resource: defined({
      apiVersion,
      kind,
      namespace: metadata.namespace,
      name: metadata.name,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
    }),
    ...policyPart(policy, old, priority),
    replicas: demand.replicas,
    replicaRequirements: demand.replicaRequirements,
    clusters,
    requiredBy,
    gracefulEvictionTasks,
    rescheduleTriggeredAt,
    activation,
  }) as unknown as BindingSpec; // every member is of the spec
}

/** What of a policy only matters to those that it holds: it is written into their bindings as it is, and says nothing of who is meant. */
export const boundFields: ReadonlySet<string> = new Set([
  "propagateDeps",
  "placement",
  "schedulerName",
  "failover",
  "conflictResolution",
  "suspension",
  "preserveResourcesOnDeletion",
]);

/** What a policy says in a binding. */
function policyPart({ spec: policy }: Policy, old: BindingSpec | undefined, priority: SchedulePriority) {
  return {
    schedulePriority: priority.ok ? given(priority.value) : old?.schedulePriority,
    propagateDeps: policy.propagateDeps,
    placement: policy.placement ?? {}, // unset means everywhere, and is not the same as none
    schedulerName: policy.schedulerName,
    failover: policy.failover,
    conflictResolution: policy.conflictResolution,
    suspension: mergeSuspension(old?.suspension, policy.suspension),
    preserveResourcesOnDeletion: policy.preserveResourcesOnDeletion,
  };
}

function given(priority: number | undefined): BindingSpec["schedulePriority"] {
  return priority === undefined ? undefined : { priority };
}

/** What of a binding a policy would change, by the names of the fields. */
export function changesBy(policy: Policy, { spec }: Binding, priority: SchedulePriority): readonly string[] {
  const wanted = policyPart(policy, spec, priority);
  return Object.entries(wanted)
    .filter(([field, value]) => !jsonEquals(value, spec[field as keyof typeof wanted]))
    .map(([field]) => field);
}

/** Whether a template asks for other replicas than its binding says. */
export function asksOtherwise({ replicas, replicaRequirements }: TemplateDemand, { spec }: Binding): boolean {
  return !jsonEquals([replicas, replicaRequirements], [spec.replicas, spec.replicaRequirements]);
}

/** The policy decides about dispatching; `scheduling` is the binding's own and survives. */
function mergeSuspension(
  old: BindingSpec["suspension"],
  policy: Policy["spec"]["suspension"],
): BindingSpec["suspension"] {
  const scheduling = old?.scheduling === undefined ? {} : { scheduling: old.scheduling };
  const merged = { ...policy, ...scheduling };
  return Object.keys(merged).length === 0 ? undefined : (merged as BindingSpec["suspension"]); // both parts are of the binding's kind
}

function ownerReference({ apiVersion, kind, metadata }: ApiObject) {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
}

/** Without the members that are undefined: absent and empty differ on the wire. */
function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in object) if (object[key] !== undefined) setMember(present, key, object[key]);
  return present;
}
