import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import { templateEvents } from "#api/work/event-reasons.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { jsonEquals, jsonEqualsBut } from "#base/json.ts";
import { isForeign } from "#controllers/compare-bindings.ts";
import { OwnWrites } from "#controllers/own-writes.ts";
import { type Interpretation, notUnderstood } from "#interpreter/interpretation.ts";
import { type Interpreter, onceKnown } from "#interpreter/interpreter.ts";
import { onceSynced, type Synced } from "#runtime/all-synced.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import type { CompiledPolicy } from "#selection/policy-match.ts";
import { templateKey, templateOf } from "#selection/template.ts";
import { type ActivePolicyNeeds, activationOf, awaitedBy, heldMeanwhile, isElsesAffair } from "./active-policy.ts";
import { type Applied, type BindNeeds, bind, type Held, hold } from "./apply-activation.ts";
import { policyIdOf } from "./claim.ts";
import type { Activation } from "./decide-activation.ts";
import { boundFields, demandOf, type TemplateDemand } from "./decide-binding.ts";
import type { PolicyCatalog } from "./policy-catalog.ts";
import type { TemplateCatalog } from "./template-catalog.ts";

export interface DetectorNeeds extends Omit<BindNeeds, "own"> {
  readonly templates: TemplateCatalog;
  readonly policies: PolicyCatalog;
  /** Of both scopes. */
  readonly bindings: readonly Informer<ApiObject>[];
  readonly interpreter: Pick<Interpreter, "replicas">;
  /** Templates of kinds that are read in another way from now on, by their keys. */
  readonly watchMeanings: Watch;
  /** Templates of policies that waited for what is there now, by their keys. */
  readonly watchPrerequisites: Watch;
  readonly prerequisites: ActivePolicyNeeds["prerequisites"];
  /** What else has to be seen whole first, such as the clusters: before that there is no place for anything. */
  readonly ready: readonly Synced[];
  readonly gates: ActivePolicyNeeds["gates"];
}

export interface DetectorFacts {
  readonly template: ApiObject;
  readonly resource: ResourceId;
  readonly activation: Activation;
  readonly binding: Binding | undefined;
  /** What the template asks for, where a policy may mean it. */
  readonly demand: Interpretation<TemplateDemand>;
  /** What the policy waits for. */
  readonly awaited: readonly string[];
  /** Whether the template is known to be another one by now. */
  readonly isOutdated: boolean;
}

export type DetectorStep =
  | { readonly do: "bind"; readonly applied: Applied; readonly demand: TemplateDemand }
  | { readonly do: "hold"; readonly held: Held }
  | { readonly do: "reportFailure"; readonly reason: string; readonly error: string };

/** Gives every template its policy and its binding, and takes them back when nothing matches any more. */
export function detectorController(needs: DetectorNeeds): Controller<DetectorFacts, DetectorStep> {
  const { templates, policies } = needs;
  /** Templates whose binding went: somebody collected it who may know more of the template than we do. */
  const bereft = new Set<string>();
  const own = new OwnWrites();
  const binder = { ...needs, own };
  const read = [...needs.ready, templates, policies, ...needs.bindings];
  const look = (key: string): DetectorFacts | undefined | Promise<DetectorFacts> => {
    const found = templates.get(key);
    if (found === undefined || found.template.metadata.deletionTimestamp !== undefined) return void bereft.delete(key);
    const { template, resource } = found;
    if (isElsesAffair(template)) return undefined;
    const binding = bindingOf(needs, template);
    const candidates = policies.candidatesFor(templateOf(template));
    const manifest = template as unknown as Manifest; // an object with its identity
    const answer = candidates.length > 0 ? onceKnown(needs.interpreter.replicas(manifest), demandOf) : nothing;
    return onceKnown(answer, (demand) => {
      const known = demand.ok ? { demand: demand.value } : {};
      const decided = activationOf(needs, { template, binding, candidates, ...known });
      const awaited = awaitedBy(needs, template, decided);
      const activation = awaited.length === 0 ? decided : heldMeanwhile(needs, template);
      const isAsked = bereft.has(key) && binding === undefined;
      return onceKnown(isAsked ? isLive(needs.client, found) : true, (live) => {
        if (live) bereft.delete(key);
        return { isOutdated: !live, template, resource, binding, demand, awaited, activation };
      });
    });
  };
  return {
    name: "detector",
    watches: [
      watchTemplates(templates, own),
      watchPolicies(needs),
      needs.watchMeanings,
      needs.watchPrerequisites,
      ...needs.bindings.map((informer) => watchBindings(informer, { bereft, own })),
    ],

    gather: (key) => onceSynced(read, () => look(key)),

    decide({ template, activation, binding, demand, awaited, isOutdated }) {
      if (isOutdated)
        return { steps: [], waitFor: { reason: "news of the template are on their way", retryAfterMs: newsMs } };
      if (activation.do === "hold" && awaited.length > 0) {
        const error = `waiting for ${awaited.join(", ")}`;
        return {
          steps: [
            { do: "hold", held: activation },
            { do: "reportFailure", reason: templateEvents.applyPolicy.failed, error },
          ],
          waitFor: { reason: error },
        };
      }
      if (activation.do === "hold")
        return { steps: [{ do: "hold", held: activation }], waitFor: { reason: "no policy acts on it now" } };
      if (binding !== undefined && isForeign(binding, template))
        return { steps: [], waitFor: { reason: "the binding of a former template is being collected" } };
      return demand.ok
        ? { steps: [{ do: "bind", applied: activation, demand: demand.value }] }
        : {
            steps: [{ do: "reportFailure", reason: templateEvents.getReplicas.failed, error: demand.message }],
            waitFor: notUnderstood(demand),
          };
    },

    async apply(step, facts) {
      if (step.do === "hold") await hold(binder, facts, step.held);
      else if (step.do === "bind") await bind(binder, facts, step);
      else needs.events.record(facts.template, { type: "Warning", reason: step.reason, message: step.error });
    },
  };
}

const nothing: Interpretation<TemplateDemand> = { ok: true, value: {} };
/** How long news may take; they wake the template themselves. */
const newsMs = 1_000;

/**
 * Whether a template is what we take it for. Asked where its binding went: to make it anew for a template that is gone, while its
 * watch is broken, would be undone at once by the garbage collector, and again, and again.
 */
async function isLive(
  client: DetectorNeeds["client"],
  { template, resource }: Pick<DetectorFacts, "template" | "resource">,
): Promise<boolean> {
  const live = await client.get(resource, keyOf(template));
  return live?.metadata.uid === template.metadata.uid && live.metadata.deletionTimestamp === undefined;
}

function bindingOf({ bindings }: DetectorNeeds, { kind, metadata }: ApiObject): Binding | undefined {
  const name = bindingNameOf({ kind, name: metadata.name });
  const informer = bindings.find(({ resource }) => resource.namespaced === (metadata.namespace !== undefined));
  return informer?.get(metadata.namespace === undefined ? { name } : { namespace: metadata.namespace, name }) as
    | Binding
    | undefined; // the informer's kind
}

function watchTemplates(templates: TemplateCatalog, own: OwnWrites): Watch {
  return (enqueue) =>
    templates.subscribe(({ key, change: { before, after, initial } }) => {
      if (after === undefined || onlyStatusChanged(before, after)) return;
      own.unlessOwn(after, () => enqueue(key, initial ? "background" : "user"));
    });
}

/** A policy wakes the templates that it holds, and where it is about who that should be, those that it means or meant; no others. */
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
      const meant = claimsAlike(before, after) ? [] : [before, after].filter((each) => each !== undefined);
      const keys = new Set([
        ...meant.flatMap((each) => templates.meantBy(each)),
        ...templates.claimedBy(policyIdOf((after ?? before)!.policy)),
      ]);
      for (const key of keys) enqueue(key, "background");
    });
}

/** Whether a policy claims what it claimed, and as it did: what else it says is for those that it holds. */
function claimsAlike(before: CompiledPolicy | undefined, after: CompiledPolicy | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const [was, is] = [before.policy, after.policy];
  return (
    was.metadata.deletionTimestamp === is.metadata.deletionTimestamp &&
    policyIdOf(was) === policyIdOf(is) &&
    jsonEqualsBut(was.spec, is.spec, boundFields)
  );
}

interface BindingWatchNeeds {
  readonly bereft: Set<string>;
  readonly own: OwnWrites;
}

/** A binding that went, or that somebody else changed, is made anew. */
function watchBindings(informer: Informer<ApiObject>, { bereft, own }: BindingWatchNeeds): Watch {
  return (enqueue) =>
    informer.subscribe(({ before, after, initial }) => {
      const binding = (after ?? before) as unknown as Binding | undefined; // the informer's kind
      const { apiVersion, kind, namespace, name } = binding?.spec.resource ?? {};
      if (before === undefined || !apiVersion || !kind || !name) return;
      const isStatusOnly =
        before.metadata.generation === after?.metadata.generation &&
        jsonEquals(before.metadata.labels, after?.metadata.labels);
      if (isStatusOnly) return;
      const key = templateKey({ apiVersion, kind, name, ...(namespace ? { namespace } : {}) });
      const wake = () => enqueue(key, initial ? "background" : "user");
      if (after !== undefined) return own.unlessOwn(after, wake);
      bereft.add(key);
      wake();
    });
}

function onlyStatusChanged(before: ApiObject | undefined, after: ApiObject): boolean {
  if (before === undefined) return false;
  return jsonEqualsBut(before, after, statusAndMetadata) && jsonEqualsBut(before.metadata, after.metadata, bookkeeping);
}

const statusAndMetadata: ReadonlySet<string> = new Set(["metadata", "status"]);
const bookkeeping: ReadonlySet<string> = new Set(["resourceVersion", "managedFields"]);
