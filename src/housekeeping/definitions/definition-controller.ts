import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { Client } from "#client/client.ts";
import { inParallel } from "#housekeeping/in-parallel.ts";
import { releaseFinalizer } from "#housekeeping/release-finalizer.ts";
import type { ResourceFeed } from "#housekeeping/resource-feed.ts";
import { definitions as definitionsId } from "#housekeeping/resource-ids.ts";
import type { ServedResources } from "#housekeeping/served-resources.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import {
  cleanupFinalizer,
  type Definition,
  type DefinitionFacts,
  type DefinitionStep,
  decideDefinition,
  isEnding,
} from "./decide-definition.ts";

export interface DefinitionNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly served: ServedResources;
  readonly feed: ResourceFeed;
  readonly definitions: Informer<Definition>;
}

interface Facts extends DefinitionFacts {
  /** Undefined when it is not served: nobody can have made instances. */
  readonly resource: ResourceId | undefined;
}

/** Deletes the instances of definitions under deletion, then lets these go. Keys are names of definitions. */
export function definitionController(needs: DefinitionNeeds): Controller<Facts, DefinitionStep> {
  const { client, clock, served, definitions } = needs;
  return {
    name: "definition-cleanup",
    watches: [
      watchInformer(definitions, ({ before, after }) => [(after ?? before)!.metadata.name]),
      instanceWatch(needs),
    ],
    async gather(name) {
      const definition = definitions.get({ name });
      if (definition === undefined || !isEnding(definition)) return undefined;
      const resource = served.named(definition.spec.group, definition.spec.names.plural);
      const instances = resource === undefined ? [] : (await client.list(resource)).items;
      return { definition, resource, instances, nowMs: clock.nowMs() };
    },
    decide: decideDefinition,
    async apply(step, { definition, resource }) {
      switch (step.do) {
        case "writeConditions": {
          const status = { ...definition.status, conditions: step.conditions };
          await client.updateStatus(definitionsId, { ...definition, status });
          return;
        }
        case "delete": {
          if (resource === undefined) return;
          const [failure] = await inParallel(step.instances, (instance) =>
            client.delete(resource, keyOf(instance), { preconditions: { uid: instance.metadata.uid } }),
          );
          if (failure !== undefined) throw failure.error;
          return;
        }
        case "release":
          return releaseFinalizer(client, { resource: definitionsId, object: definition, finalizer: cleanupFinalizer });
      }
    },
  };
}

/** An instance that goes may be the last. */
function instanceWatch({ feed, definitions }: DefinitionNeeds): Watch {
  return (enqueue) => {
    const wake = ({ resource, group }: ResourceId) => {
      const definition = definitions.get({ name: `${resource}.${group}` });
      if (definition !== undefined && isEnding(definition)) enqueue(definition.metadata.name, "background");
    };
    return feed.subscribe({ gone: wake, listed: wake });
  };
}
