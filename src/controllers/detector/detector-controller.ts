import { resourceOf } from "#api/kind.ts";
import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import { templateEvents } from "#api/work/event-reasons.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { claimedByLabel } from "#api/work/template-keys.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client, NewObject } from "#client/client.ts";
import { type Interpretation, notUnderstood } from "#interpreter/interpretation.ts";
import type { Interpreter } from "#interpreter/interpreter.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { templateKey, templateOf } from "#selection/template.ts";
import { claimMetadata, claimOf, claimPatch, policyIdOf } from "./claim.ts";
import { decideBinding, demandOf, isForeign, type TemplateDemand } from "./decide-binding.ts";
import { type ClaimDecision, decideClaim } from "./decide-claim.ts";
import type { PolicyCatalog } from "./policy-catalog.ts";
import type { TemplateCatalog } from "./template-catalog.ts";

export interface DetectorNeeds {
  readonly client: Client;
  readonly templates: TemplateCatalog;
  readonly policies: PolicyCatalog;
  /** Of both scopes. */
  readonly bindings: readonly Informer<ApiObject>[];
  readonly events: EventRecorder;
  readonly interpreter: Pick<Interpreter, "replicas">;
  /** Templates of kinds that are read in another way from now on, by their keys. */
  readonly watchMeanings: Watch;
  /** Puts a binding that is about to be written where the scheduler would put it, so that one write carries both. */
  readonly place: (binding: Binding) => Binding;
  /** Resolves when the clusters have been seen whole: before that there is no place for anything. */
  readonly ready: () => Promise<unknown>;
  /** Gate PropagationPolicyPreemption. */
  readonly preemption: boolean;
}

export interface DetectorFacts {
  readonly template: ApiObject;
  readonly resource: ResourceId;
  readonly claim: ClaimDecision;
  readonly binding: Binding | undefined;
  /** What the template asks for, where it has a policy. */
  readonly demand: Interpretation<TemplateDemand>;
}

export type DetectorStep =
  | { readonly do: "bind"; readonly policy: Policy; readonly demand: TemplateDemand }
  | { readonly do: "reportFailure"; readonly error: string }
  | { readonly do: "release" };

/** Gives every template its policy and its binding, and takes them back when nothing matches any more. */
export function detectorController(needs: DetectorNeeds): Controller<DetectorFacts, DetectorStep> {
  const { templates, policies } = needs;
  return {
    name: "detector",
    watches: [
      watchTemplates(templates),
      watchPolicies(needs),
      needs.watchMeanings,
      ...needs.bindings.map((informer) => watchInformer(informer, ({ before, after }) => lostBinding(before, after))),
    ],

    async gather(key) {
      await Promise.all([
        needs.ready(),
        templates.whenSynced(),
        policies.whenSynced(),
        ...needs.bindings.map((informer) => informer.whenSynced()),
      ]);
      const found = templates.get(key);
      if (found === undefined || found.template.metadata.deletionTimestamp !== undefined) return undefined;
      const { template, resource } = found;
      if (template.metadata.labels?.[claimedByLabel] !== undefined) return undefined; // somebody else's
      const about = templateOf(template);
      const present = claimOf(template.metadata);
      const claim = decideClaim({
        template: about,
        holder: present === undefined ? undefined : policies.holderOf(present),
        isClaimed: present !== undefined,
        candidates: policies.candidatesFor(about),
        preemption: needs.preemption,
      });
      const facts = { template, resource, claim, binding: bindingOf(needs, template) };
      if (claim.policy === undefined) return { ...facts, demand: nothing };
      const answer = needs.interpreter.replicas(template as unknown as Manifest); // an object with its identity
      return { ...facts, demand: demandOf(answer instanceof Promise ? await answer : answer) };
    },

    decide({ template, claim, binding, demand }) {
      if (claim.policy !== undefined) {
        if (binding !== undefined && isForeign(binding, template))
          return { steps: [], waitFor: { reason: "the binding of a former template is being collected" } };
        return demand.ok
          ? { steps: [{ do: "bind", policy: claim.policy, demand: demand.value }] }
          : { steps: [{ do: "reportFailure", error: demand.message }], waitFor: notUnderstood(demand) };
      }
      return {
        steps: claim.because === "released" ? [{ do: "release" }] : [],
        waitFor: { reason: "no policy matches" },
      };
    },

    async apply(step, facts) {
      if (step.do === "release") await release(needs, facts);
      else if (step.do === "bind") await bind(needs, facts, step);
      else {
        const reason = templateEvents.getReplicas.failed;
        needs.events.record(facts.template, { type: "Warning", reason, message: step.error });
      }
    },
  };
}

const nothing: Interpretation<TemplateDemand> = { ok: true, value: {} };

/** The claim first, then the binding: a crash between leaves a claimed template, which the next start binds. */
async function bind(
  needs: DetectorNeeds,
  { template, resource, claim, binding }: DetectorFacts,
  { policy, demand }: { readonly policy: Policy; readonly demand: TemplateDemand },
): Promise<void> {
  const patch = claimPatch(template.metadata, claimMetadata(policy));
  const claimed = patch === undefined ? template : await patchMetadata(needs.client, resource, template, patch);
  const wanted = decideBinding({ template: claimed, policy, demand, binding });
  if (binding !== undefined && sameButRevision(wanted, binding)) return;
  const { events, client } = needs;
  await writeBinding(client, needs.place(wanted), binding);
  const name =
    policy.metadata.namespace === undefined
      ? `cluster policy(${policy.metadata.name})`
      : `policy(${policy.metadata.namespace}/${policy.metadata.name})`;
  events.record(claimed, {
    type: "Normal",
    reason: templateEvents.applyPolicy.succeed,
    message: `Apply ${name} succeed`,
  });
  if (claim.because === "preempted") {
    events.record(claimed, {
      type: "Normal",
      reason: templateEvents.preemptPolicy.succeed,
      message: `${name} preempted the former policy successfully`,
    });
  }
}

/** The binding first: a template without a claim is matched anew, and must not find its old binding still claimed. */
async function release({ client }: DetectorNeeds, { template, resource, binding }: DetectorFacts): Promise<void> {
  const bindingPatch = binding === undefined ? undefined : claimPatch(binding.metadata, undefined);
  if (binding !== undefined && bindingPatch !== undefined) {
    await patchMetadata(
      client,
      resourceOf(ResourceBindings.kindFor(binding.metadata.namespace)),
      binding as unknown as ApiObject,
      bindingPatch,
    );
  }
  const patch = claimPatch(template.metadata, undefined);
  if (patch !== undefined) await patchMetadata(client, resource, template, patch);
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

async function writeBinding(client: Client, wanted: Binding, old: Binding | undefined): Promise<void> {
  const resource = resourceOf(ResourceBindings.kindFor(wanted.metadata.namespace));
  if (old === undefined)
    await client.create(resource, wanted as unknown as NewObject); // as decided
  else await client.update(resource, wanted as unknown as ApiObject);
}

/** A template's status counts for its revision but not for its binding: works follow the template itself. */
function sameButRevision(wanted: Binding, present: Binding): boolean {
  const masked = ({ spec, ...rest }: Binding) => ({
    ...rest,
    spec: { ...spec, resource: { ...spec.resource, resourceVersion: "" } },
  });
  return jsonEquals(masked(wanted), masked(present));
}

function bindingOf({ bindings }: DetectorNeeds, { kind, metadata }: ApiObject): Binding | undefined {
  const name = bindingNameOf({ kind, name: metadata.name });
  const informer = bindings.find(({ resource }) => resource.namespaced === (metadata.namespace !== undefined));
  return informer?.get(metadata.namespace === undefined ? { name } : { namespace: metadata.namespace, name }) as
    | Binding
    | undefined; // the informer's kind
}

function watchTemplates(templates: TemplateCatalog): Watch {
  return (enqueue) =>
    templates.subscribe(({ key, change }) => {
      if (change.after === undefined || onlyStatusChanged(change.before, change.after)) return;
      enqueue(key, change.initial ? "background" : "user");
    });
}

/** A policy wakes the templates that it means, meant or holds; nothing else is looked at. */
function watchPolicies({ policies, templates }: DetectorNeeds): Watch {
  return (enqueue) =>
    policies.subscribe(({ before, after }) => {
      if (
        before !== undefined &&
        after !== undefined &&
        before.policy.metadata.generation === after.policy.metadata.generation &&
        before.policy.metadata.deletionTimestamp === after.policy.metadata.deletionTimestamp
      )
        return;
      const keys = new Set([
        ...(before === undefined ? [] : templates.meantBy(before)),
        ...(after === undefined ? [] : templates.meantBy(after)),
        ...templates.claimedBy(policyIdOf((after ?? before)!.policy)),
      ]);
      for (const key of keys) enqueue(key, "background");
    });
}

/** A binding that went, or that somebody else changed, is made anew. */
function lostBinding(before: ApiObject | undefined, after: ApiObject | undefined): readonly string[] {
  const binding = (after ?? before) as unknown as Binding | undefined; // the informer's kind
  const { apiVersion, kind, namespace, name } = binding?.spec.resource ?? {};
  if (before === undefined || !apiVersion || !kind || !name) return [];
  const isStatusOnly =
    before.metadata.generation === after?.metadata.generation &&
    jsonEquals(before.metadata.labels, after?.metadata.labels);
  if (isStatusOnly) return [];
  return [templateKey({ apiVersion, kind, name, ...(namespace ? { namespace } : {}) })];
}

function onlyStatusChanged(before: ApiObject | undefined, after: ApiObject): boolean {
  if (before === undefined) return false;
  const meaning = ({ metadata, status: _, ...rest }: ApiObject) => {
    const { resourceVersion: __, managedFields: ___, ...meta } = metadata;
    return { ...rest, meta };
  };
  return jsonEquals(meaning(before), meaning(after));
}
