import type { ResourceType, Subresources } from "#api/meta/resource-type.ts";
import type { SchemaCheck } from "./apiextensions/custom-resource-definition.ts";
import { eventConversion } from "./events/convert-event.ts";
import type { BuiltinCatalog, BuiltinResource } from "./load-schemas.ts";
import { scalePathsOf, strategyOf } from "./strategies.ts";
import { tableOf } from "./tables.ts";

export interface BuiltinOptions {
  /** Judges the schemas inside CustomResourceDefinitions; without it they are taken as they are. */
  readonly schemaErrors?: SchemaCheck;
}

/** The built-in kinds as an API server serves them, in the order of discovery. */
export function builtinResources(catalog: BuiltinCatalog, options: BuiltinOptions = {}): ResourceType[] {
  return catalog.resources.filter(isServed).map((resource) => resourceType(catalog, resource, options));
}

/** The first version of autoscalers has another shape than the one they are kept in; it is not offered. */
function isServed({ group, version }: BuiltinResource): boolean {
  return group !== "autoscaling" || version !== "v1";
}

function resourceType(catalog: BuiltinCatalog, resource: BuiltinResource, options: BuiltinOptions): ResourceType {
  const { group, version, kind, plural, singular, shortNames, categories, namespaced, verbs } = resource;
  const schema = catalog.nodes.get(resource.schema);
  if (schema === undefined) throw new Error(`cannot load ${group}/${version} ${kind}: no schema ${resource.schema}`);
  return {
    ...{ group, version, kind, plural, singular, shortNames, categories, namespaced, verbs, schema },
    listKind: `${kind}List`,
    subresources: subresourcesOf(resource),
    strategy: strategyOf(group, kind, options.schemaErrors),
    table: tableOf(group, kind, schema),
    ...(group === "events.k8s.io" && { storagePrefix: "/events", convert: eventConversion }),
    custom: false,
  };
}

function subresourcesOf({ group, kind, subresources }: BuiltinResource): Subresources {
  const names = new Set(subresources.map(({ name }) => name));
  const scale = names.has("scale") ? scalePathsOf(group, kind) : undefined;
  return { ...(names.has("status") && { status: true }), ...(scale !== undefined && { scale }) };
}
