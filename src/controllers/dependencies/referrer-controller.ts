import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import { dependenciesAnnotation } from "#api/work/binding-keys.ts";
import { templateEvents } from "#api/work/event-reasons.ts";
import { dependenciesFinalizer } from "#api/work/finalizers.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import type { Client } from "#client/client.ts";
import { bindingAt, bindingKey } from "#controllers/binding-informers.ts";
import type { Interpretation } from "#interpreter/interpretation.ts";
import { allSynced } from "#runtime/all-synced.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder, EventText } from "#runtime/event-recorder.ts";
import type { Change, Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { decideReferrer, type ReferrerFacts, type ReferrerStep } from "./decide-referrer.ts";
import type { DependencyList } from "./dependency-list.ts";
import { type FindNeeds, findDependencies, foundText, recordOf } from "./find-dependencies.ts";
import { followedBy, isReferrer } from "./referrers.ts";

export interface ReferrerNeeds extends FindNeeds {
  readonly client: Client;
  /** Of both scopes, indexed by `follows`: the keys of the bindings that they follow. */
  readonly bindings: readonly Informer<ApiObject>[];
  readonly templateOf: (binding: Binding) => ApiObject | undefined;
  /** Whether a template was edited and nobody has activated the edit, or another policy is taking over: what runs needs what it needed before. */
  readonly isFrozen: (binding: Binding, template: ApiObject) => boolean;
  readonly events: EventRecorder;
  /** Templates that changed, Services and Ingresses that did, kinds that are read in another way: by the keys of bindings. */
  readonly watches: readonly Watch[];
  /** Resolves when the templates have been seen whole. */
  readonly ready: () => Promise<unknown>;
}

interface Facts extends ReferrerFacts {
  readonly template: ApiObject | undefined;
}

/** Finds out what the template of every binding needs, records it there, and lets the binding go once nobody follows it. */
export function referrerController(needs: ReferrerNeeds): Controller<Facts, ReferrerStep> {
  const { bindings, enabled } = needs;
  return {
    name: "dependencies",
    watches: [
      ...bindings.map((informer) => watchInformer(informer, (change) => [...own(change), ...left(needs, change)])),
      ...needs.watches,
    ],

    async gather(key) {
      await Promise.all([needs.ready(), allSynced(bindings)]);
      const binding = bindingAt(bindings, key);
      if (binding === undefined) return void needs.dependents?.follow(key, undefined);
      const template = needs.templateOf(binding);
      const followers = bindings
        .flatMap((informer) => informer.byIndex("follows", key))
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined).length;
      const found = await find(needs, binding, template);
      return { binding, template, found, followers, enabled };
    },

    decide: decideReferrer,

    async apply(step, { binding, template }) {
      const tell = (text: EventText) => needs.events.record(template ?? binding, text);
      switch (step.do) {
        case "record":
          await patch(needs, binding, recordOf(binding, step.list));
          if (step.isNews) tell(foundText(step.list));
          return;
        case "reportFailure":
          return tell({ type: "Warning", reason: templateEvents.getDependencies.failed, message: step.error });
        case "release":
          await patch(needs, binding, {
            annotations: { [dependenciesAnnotation]: null },
            finalizers: (binding.metadata.finalizers ?? []).filter((name) => name !== dependenciesFinalizer),
          });
      }
    },
  };
}

/** What the template needs; undefined where that is no question now. */
async function find(
  needs: ReferrerNeeds,
  binding: Binding,
  template: ApiObject | undefined,
): Promise<Interpretation<DependencyList> | undefined> {
  if (!needs.enabled || !isReferrer(binding) || template === undefined) {
    needs.dependents?.follow(bindingKey(binding), undefined);
    return undefined;
  }
  return needs.isFrozen(binding, template) ? undefined : findDependencies(needs, binding, template);
}

function patch({ client }: ReferrerNeeds, { metadata }: Binding, part: object): Promise<unknown> {
  return client.patch(resourceOf(ResourceBindings.kindFor(metadata.namespace)), keyOf({ metadata }), {
    type: "merge",
    patch: { metadata: { ...part, resourceVersion: metadata.resourceVersion } },
  });
}

/** A binding is looked at when its spec, its record or its end changed; what is reported of it does not matter. */
function own({ before, after }: Change<ApiObject>): readonly string[] {
  if (after === undefined) return [bindingKey(before)];
  const binding = after as unknown as Binding; // the informer's kind
  const isHeld = after.metadata.finalizers?.includes(dependenciesFinalizer) === true;
  if (binding.spec.propagateDeps !== true && !isHeld) return [];
  const isSame =
    before !== undefined &&
    before.metadata.generation === after.metadata.generation &&
    before.metadata.deletionTimestamp === after.metadata.deletionTimestamp &&
    before.metadata.annotations?.[dependenciesAnnotation] === after.metadata.annotations?.[dependenciesAnnotation] &&
    before.metadata.finalizers?.includes(dependenciesFinalizer) === isHeld;
  return isSame ? [] : [bindingKey(after)];
}

/** A follower that let go may be the last that a binding waited for. */
function left({ bindings }: ReferrerNeeds, { before, after }: Change<ApiObject>): readonly string[] {
  if (before === undefined) return [];
  const still = new Set(after === undefined || after.metadata.deletionTimestamp !== undefined ? [] : followedBy(after));
  return followedBy(before).filter((key) => {
    const referrer = still.has(key) ? undefined : bindingAt(bindings, key);
    return referrer?.metadata.finalizers?.includes(dependenciesFinalizer) === true && !isReferrer(referrer);
  });
}
