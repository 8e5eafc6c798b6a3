import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { AdmissionPlugin } from "#apiserver/admission.ts";
import type { Registry } from "#apiserver/registry.ts";
import type { Clock } from "#base/clock.ts";
import { goQuote } from "#base/go-text.ts";
import { jsonEquals } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import type { Store } from "#storage/store.ts";
import { customResourceTypes } from "./custom-resource-type.ts";
import { type Definition, definitionsPrefix, isEstablished } from "./definition.ts";
import { definitionStatus } from "./definition-status.ts";
import { unknownFormats } from "./unknown-formats.ts";

export interface DefinitionsNeeds {
  readonly store: Store<ApiObject>;
  readonly registry: Registry;
  readonly clock: Clock;
  /** The schema of metadata, for every custom resource. */
  readonly objectMeta: SchemaNode;
}

/**
 * Serves what the stored definitions say, from the start on and as they change. A write is acknowledged after the store has told
 * its watchers, so whoever created a definition can use it in the next request.
 */
export function serveDefinitions(needs: DefinitionsNeeds): () => void {
  const { store, registry, objectMeta } = needs;
  const present = (definition: Definition) => {
    const types = isEstablished(definition) ? customResourceTypes(definition, objectMeta) : [];
    registry.replace(
      definition.spec.group,
      definition.spec.names.plural,
      types.map((type) => withKnownSchema(registry, type)),
    );
  };
  const subscription = store.watch({
    prefix: `${definitionsPrefix}/`,
    after: store.revision,
    deliver: ({ type, value }) => {
      const definition = value as Definition; // the prefix holds nothing else
      if (type === "deleted") registry.replace(definition.spec.group, definition.spec.names.plural, []);
      else present(definition);
    },
  });
  for (const definition of listDefinitions(store)) present(definition);
  return subscription.ok ? subscription.stop : () => {};
}

/** A schema that says the same is the same object: nothing that was made for it has to be made again. */
function withKnownSchema(registry: Registry, type: ResourceType): ResourceType {
  const known = registry.get(type.group, type.version, type.plural);
  if (known === undefined || !jsonEquals(known.schema, type.schema)) return type;
  const { schema, shapedAfter } = known;
  return { ...type, schema, ...(shapedAfter !== undefined && { shapedAfter }) };
}

/** Gives every definition that is written its status, and refuses what would take the place of a built-in resource. */
export function definitionAdmission({ store, registry, clock }: DefinitionsNeeds): AdmissionPlugin {
  return {
    name: "definition-status",
    mutate({ type, object, operation, subresource }) {
      if (type.plural !== "customresourcedefinitions" || type.group !== "apiextensions.k8s.io") return undefined;
      if (object === undefined || operation === "DELETE" || subresource !== undefined) return undefined;
      const definition = object as unknown as Definition; // of that kind
      if (definition.spec?.names === undefined || !Array.isArray(definition.spec.versions)) return undefined; // validation says what is missing
      object["status"] = definitionStatus(definition, listDefinitions(store), clock.nowMs());
      return undefined;
    },
    validate({ type, object, old, operation, subresource, warn }) {
      if (type.plural !== "customresourcedefinitions" || type.group !== "apiextensions.k8s.io") return undefined;
      if (object === undefined || operation === "DELETE" || subresource !== undefined) return undefined;
      refuseBuiltin(registry, object as unknown as Definition); // of that kind
      const known = new Set(old === undefined ? [] : unknownFormats(old["spec"]));
      for (const format of unknownFormats(object["spec"]))
        if (!known.has(format)) warn(`unrecognized format ${goQuote(format)}`);
      return undefined;
    },
  };
}

function refuseBuiltin(registry: Registry, { spec, metadata }: Definition): void {
  if (spec.group === "") return; // that is told with all else
  const builtin = registry.all().some((type) => !type.custom && type.group === spec.group);
  if (!builtin) return;
  throw StatusError.forbidden(
    { group: "apiextensions.k8s.io", resource: "customresourcedefinitions", name: metadata.name },
    `the group ${JSON.stringify(spec.group)} is built in and cannot be extended`,
  );
}

function listDefinitions(store: Store<ApiObject>): readonly Definition[] {
  const result = store.list({ prefix: `${definitionsPrefix}/` });
  return result.ok ? result.entries.map(({ value }) => value as Definition) : []; // the present is always kept
}
