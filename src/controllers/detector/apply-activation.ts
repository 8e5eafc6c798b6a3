import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import { policyText } from "#api/policy/policy-text.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { policyPendingCondition } from "#api/work/condition-reasons.ts";
import { templateEvents } from "#api/work/event-reasons.ts";
import { releasedClusters } from "#api/work/released-clusters.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { releasedClustersAnnotation } from "#api/work/template-keys.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Client, NewObject } from "#client/client.ts";
import { isForeign } from "#controllers/compare-bindings.ts";
import type { RecordedBinding } from "#controllers/dependencies/find-dependencies.ts";
import type { OwnWrites } from "#controllers/own-writes.ts";
import { contentHash } from "#controllers/template-content.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { PolicyPrerequisites } from "./active-policy.ts";
import { claimMetadata, claimOf, claimPatch } from "./claim.ts";
import type { Activation, Pending } from "./decide-activation.ts";
import { decideBinding, type TemplateDemand } from "./decide-binding.ts";
import { pendingText, withPending } from "./pending-condition.ts";
import type { PolicyCatalog } from "./policy-catalog.ts";

export interface BindNeeds {
  readonly client: Client;
  /** What was bound need not be looked at again because of that. */
  readonly own: OwnWrites;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly policies: Pick<PolicyCatalog, "holderOf">;
  readonly prerequisites: Pick<PolicyPrerequisites, "priorityOf">;
  /** Puts a binding that is about to be written where the scheduler would put it, so that one write carries both. */
  readonly place: (binding: Binding) => Binding;
  /** Records in a binding that is about to be made what its template needs, for the same reason. */
  readonly withDependencies: (binding: Binding, template: ApiObject) => RecordedBinding | Promise<RecordedBinding>;
}

interface Bound {
  readonly template: ApiObject;
  readonly resource: ResourceId;
  readonly binding: Binding | undefined;
}

export type Applied = Extract<Activation, { readonly do: "apply" }>;
export type Held = Extract<Activation, { readonly do: "hold" }>;

/** The claim first, then the binding: a crash between leaves a claimed template, which the next start binds. */
export async function bind(
  needs: BindNeeds,
  { template, resource, binding }: Bound,
  { applied, demand }: { readonly applied: Applied; readonly demand: TemplateDemand },
): Promise<void> {
  const { policy, records, pending } = applied;
  const marks = claimMetadata(policy);
  const patch = claimPatch(template.metadata, marks);
  const claim = (change: object) => patchMetadata(needs.client, resource, template, change);
  const claimed = patch === undefined ? template : await needs.own.change(template, () => claim(patch));
  const activation = records ? recordOf(policy, template) : undefined;
  const priority = needs.prerequisites.priorityOf(policy);
  const wanted = decideBinding({ template: claimed, policy, claim: marks, demand, binding, activation, priority });
  if (wanted === binding) return reportPending(needs, { template, binding, pending });
  const placed = needs.place(wanted);
  const next = binding === undefined ? await needs.withDependencies(placed, claimed) : { binding: placed };
  const written = await writeBinding(needs, next.binding, binding);
  announce(needs.events, template, applied);
  if (next.news !== undefined) needs.events.record(template, next.news);
  await reportPending(needs, { template, binding: written, pending });
}

/** What is activated now, so that any later start can compare. */
function recordOf({ metadata }: Policy, template: ApiObject): NonNullable<Binding["spec"]["activation"]> {
  return {
    policyUID: metadata.uid,
    policyGeneration: metadata.generation ?? 0,
    templateHash: contentHash(template),
  };
}

function announce(events: EventRecorder, template: ApiObject, { policy, because }: Applied): void {
  const reason = templateEvents.applyPolicy.succeed;
  events.record(template, { type: "Normal", reason, message: `Apply ${policyText(policy)} succeed` });
  if (because !== "preempted") return;
  const former = claimOf(template.metadata);
  const message = `${fullText(policy.metadata)} preempted ${former === undefined ? "its former policy" : fullText(former).toLowerCase()} successfully`;
  events.record(template, { type: "Normal", reason: templateEvents.preemptPolicy.succeed, message });
}

/**
 * The binding first: a template without a claim is matched anew, and must not find its old binding still claimed. What runs is
 * recorded before it is left to itself, so that later edits can be told.
 */
export async function hold(
  needs: BindNeeds,
  { template, resource, binding }: Bound,
  { releases, pending }: Held,
): Promise<void> {
  const own = binding === undefined || isForeign(binding, template) ? undefined : binding;
  const held = own === undefined ? undefined : await holdBinding(needs, own, { template, releases });
  const patch = releases ? claimPatch(template.metadata, undefined) : undefined;
  if (patch !== undefined) await patchMetadata(needs.client, resource, template, patch);
  if (held !== undefined) await reportPending(needs, { template, binding: held, pending });
}

async function holdBinding(
  { client, policies }: BindNeeds,
  binding: Binding,
  { template, releases }: { readonly template: ApiObject; readonly releases: boolean },
): Promise<Binding> {
  if (binding.spec.placement === undefined) return binding; // placed by no policy
  const metadata = heldMetadata(binding, { template, releases });
  const recorded = binding.spec.activation !== undefined;
  if (metadata === undefined && recorded) return binding;
  const body = {
    metadata: { ...metadata, resourceVersion: binding.metadata.resourceVersion },
    ...(recorded ? {} : { spec: { activation: adopted(policies, binding, template) } }),
  };
  const resource = resourceOf(ResourceBindings.kindFor(binding.metadata.namespace));
  const key = keyOf(binding as unknown as ApiObject);
  return (await client.patch(resource, key, { type: "merge", patch: body })) as unknown as Binding; // what was patched
}

/** The change of a held binding's metadata: its claim may end, and where it is held back may change. */
function heldMetadata(
  { metadata }: Binding,
  { template, releases }: { readonly template: ApiObject; readonly releases: boolean },
) {
  const claim = releases ? claimPatch(metadata, undefined) : undefined;
  const released = template.metadata.annotations?.[releasedClustersAnnotation];
  if (released === metadata.annotations?.[releasedClustersAnnotation]) return claim;
  return { ...claim, annotations: { ...claim?.annotations, [releasedClustersAnnotation]: released ?? null } };
}

/** A binding from before anything was recorded: what runs now is taken as what was activated, by an unknown state of its policy. */
function adopted(policies: BindNeeds["policies"], binding: Binding, template: ApiObject) {
  const claim = claimOf(binding.metadata);
  const uid = claim === undefined ? undefined : policies.holderOf(claim)?.policy.metadata.uid;
  return { policyUID: uid ?? "", policyGeneration: 0, templateHash: contentHash(template) };
}

interface Reported {
  readonly template: ApiObject;
  readonly binding: Binding;
  readonly pending: Pending | undefined;
}

/** What waits is said on the binding, and to whoever watches the template; once. */
async function reportPending({ client, clock, events }: BindNeeds, { template, binding, ...reported }: Reported) {
  const pending = reported.pending ?? partlyReleased(template);
  const conditions = withPending(binding.status?.conditions ?? [], pending, formatTime(clock.nowMs()));
  if (conditions === undefined) return;
  const { resourceVersion, namespace } = binding.metadata;
  const resource = resourceOf(ResourceBindings.kindFor(namespace));
  const patch = { metadata: { resourceVersion }, status: { conditions } };
  const key = keyOf(binding as unknown as ApiObject);
  await client.patch(resource, key, { type: "merge", subresource: "status", patch });
  if (pending === undefined) return;
  const { type, reasons } = policyPendingCondition;
  const warns = reasons[pending.why] === reasons["no policy matches the edited template"];
  events.record(template, { type: warns ? "Warning" : "Normal", reason: type, message: pendingText(pending) });
}

/** A change that has reached some clusters only: nobody shall wonder why. */
function partlyReleased({ metadata }: ApiObject): Pending | undefined {
  const clusters = releasedClusters(metadata);
  return clusters && { why: "released cluster by cluster", clusters };
}

function patchMetadata(
  client: Client,
  resource: ResourceId,
  { metadata }: ApiObject,
  patch: object,
): Promise<ApiObject> {
  const body = { metadata: { ...patch, resourceVersion: metadata.resourceVersion } };
  return client.patch(resource, keyOf({ metadata }), { type: "merge", patch: body });
}

async function writeBinding({ client, own }: BindNeeds, wanted: Binding, old: Binding | undefined): Promise<Binding> {
  const resource = resourceOf(ResourceBindings.kindFor(wanted.metadata.namespace));
  const next = wanted as unknown as ApiObject; // as decided
  const written =
    old === undefined
      ? await client.create(resource, next as NewObject)
      : await own.change(next, () => client.update(resource, next));
  return written as unknown as Binding; // the same kind
}

/** `Propagation policy(shop/web)` or `Cluster propagation policy(everything)`. */
function fullText({ namespace, name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return namespace === undefined ? `Cluster propagation policy(${name})` : `Propagation policy(${namespace}/${name})`;
}
