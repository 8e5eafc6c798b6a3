import type { FeatureGates } from "#api/feature-gates.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Clock } from "#base/clock.ts";
import type { Client } from "#client/client.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import { attachedBindingController } from "#controllers/dependencies/attached-binding-controller.ts";
import type { DependentsIndex } from "#controllers/dependencies/dependents-index.ts";
import type { FindNeeds } from "#controllers/dependencies/find-dependencies.ts";
import { referrerController } from "#controllers/dependencies/referrer-controller.ts";
import { dependencySlotsOf, followedBy } from "#controllers/dependencies/referrers.ts";
import type { TemplateCatalog } from "#controllers/detector/template-catalog.ts";
import type { Interpreter } from "#interpreter/interpreter.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Informer } from "#runtime/informer.ts";
import type { RunningController } from "#runtime/run-controller.ts";
import { objectsSelectedBy, watchDependencies, watchDependents, watchReferrerTemplates } from "./dependency-watches.ts";

export interface DependenciesNeeds {
  readonly client: Client;
  readonly templates: TemplateCatalog;
  /** Of both scopes, with `bindingIndexes`. */
  readonly bindings: readonly Informer<ApiObject>[];
  /** Kept up to date by what runs here; of no use while the gate for it is off. */
  readonly dependents: DependentsIndex;
  readonly interpreter: Interpreter;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly gates: Pick<FeatureGates, "PropagateDeps" | "PropagateDependents">;
  readonly templateOf: (binding: Binding) => ApiObject | undefined;
  readonly isFrozen: (binding: Binding, template: ApiObject) => boolean;
  /** Resolves when the policies have been seen whole, which say what is frozen. */
  readonly ready: () => Promise<unknown>;
  readonly watchMeanings: Watch;
  /** Whether there is more to do than can be done at once. */
  readonly isBusy: () => boolean;
}

/** How the informers of bindings find referrers and followers. */
export const bindingIndexes = { needs: dependencySlotsOf, follows: followedBy } as const;

type Run = <Facts, Step>(controller: Controller<Facts, Step>) => RunningController;

export interface RunningDependencies {
  /** For those that need something, by the keys of their bindings. */
  readonly referrers: RunningController;
  /** For what is needed, by the keys of templates. */
  readonly attached: RunningController;
}

/** What is needed to find out what templates need, by the gates. */
export function findNeedsOf({
  interpreter,
  dependents,
  gates,
}: Pick<DependenciesNeeds, "interpreter" | "dependents" | "gates">): FindNeeds {
  const enabled = gates.PropagateDeps;
  return { interpreter, dependents: enabled && gates.PropagateDependents ? dependents : undefined, enabled };
}

/** Runs what makes dependencies follow their workloads: one controller for those that need, one for those that are needed. */
export function runDependencies(run: Run, needs: DependenciesNeeds): RunningDependencies {
  const { client, templates, bindings, events } = needs;
  const { enabled, dependents, interpreter } = findNeedsOf(needs);
  const ready = () => Promise.all([templates.whenSynced(), needs.ready()]);
  const referrers = run(
    referrerController({
      client,
      bindings,
      events,
      enabled,
      ready,
      dependents,
      interpreter,
      templateOf: needs.templateOf,
      isFrozen: needs.isFrozen,
      watches: [
        watchReferrerTemplates({ templates, bindings }),
        needs.watchMeanings,
        ...(dependents === undefined ? [] : [watchDependents(dependents, templates)]),
      ],
    }),
  );
  const attached = run(
    attachedBindingController({
      client,
      bindings,
      events,
      enabled,
      ready,
      clock: needs.clock,
      isBusy: needs.isBusy,
      isDue: (binding) => referrers.queue.has(bindingKey(binding)),
      objectAt: (key) => templates.get(key)?.template,
      selectedBy: (dependency) => objectsSelectedBy(templates, dependency),
      watchObjects: watchDependencies({ templates, bindings }),
    }),
  );
  return { referrers, attached };
}
