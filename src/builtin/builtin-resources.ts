import type { Draft } from "#api/meta/object-meta.ts";
import type { ResourceType, Strategy, Subresources } from "#api/meta/resource-type.ts";
import type { SchemaCheck } from "./apiextensions/custom-resource-definition.ts";
import { autoscalerConversion, firstVersionStrategy, firstVersionTable } from "./autoscaling/convert-autoscaler.ts";
import { canonicalObject } from "./canonical-form.ts";
import { eventConversion } from "./events/convert-event.ts";
import { inGoForm } from "./go-findings.ts";
import type { GoForm } from "./go-form.ts";
import type { BuiltinCatalog, BuiltinResource } from "./load-schemas.ts";
import type { MessageTable } from "./protobuf/message-table.ts";
import { scalePathsOf, strategyOf } from "./strategies.ts";
import { tableOf } from "./tables.ts";

export interface BuiltinOptions {
  /** Judges the schemas inside CustomResourceDefinitions; without it they are taken as they are. */
  readonly schemaErrors?: SchemaCheck;
  /** The fields of Go's structs, for the form in which Kubernetes prints objects; without them objects stay as they are sent. */
  readonly messages?: MessageTable;
  /** How Go prints parts of objects, for messages that show them; without it they are shown as they are sent. */
  readonly goForm?: GoForm;
}

/** The built-in kinds as an API server serves them, in the order of discovery. */
export function builtinResources(catalog: BuiltinCatalog, options: BuiltinOptions = {}): ResourceType[] {
  return catalog.resources.map((resource) => inFirstVersion(catalog, resourceType(catalog, resource, options)));
}

/** Autoscalers are kept in the shape of their second version and served in both. */
function inFirstVersion({ nodes }: BuiltinCatalog, type: ResourceType): ResourceType {
  const { group, version, kind, strategy } = type;
  if (group !== "autoscaling" || version !== "v1") return type;
  const table = tableOf(group, kind, nodes.get("io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler"));
  return {
    ...type,
    strategy: firstVersionStrategy(strategy),
    table: firstVersionTable(table),
    convert: autoscalerConversion,
  };
}

function resourceType(catalog: BuiltinCatalog, resource: BuiltinResource, options: BuiltinOptions): ResourceType {
  const { group, version, kind, plural, singular, shortNames, categories, namespaced, verbs } = resource;
  const schema = catalog.nodes.get(resource.schema);
  if (schema === undefined) throw new Error(`cannot load ${group}/${version} ${kind}: no schema ${resource.schema}`);
  return {
    ...{ group, version, kind, plural, singular, shortNames, categories, namespaced, verbs, schema },
    listKind: `${kind}List`,
    subresources: subresourcesOf(resource),
    strategy: strategyIn(options, group, kind),
    table: tableOf(group, kind, schema),
    ...canonicalForm(options.messages, { apiVersion: group === "" ? version : `${group}/${version}`, kind }),
    ...(group === "events.k8s.io" && { storagePrefix: "/events", convert: eventConversion }),
    custom: false,
  };
}

function strategyIn({ schemaErrors, goForm }: BuiltinOptions, group: string, kind: string): Strategy {
  const strategy = strategyOf(group, kind, schemaErrors);
  return goForm === undefined ? strategy : inGoForm(strategy, goForm);
}

function canonicalForm(
  messages: MessageTable | undefined,
  kind: { readonly apiVersion: string; readonly kind: string },
) {
  if (messages === undefined) return {};
  return {
    canonicalize: (draft: Draft, isCanonical?: (member: unknown) => boolean) =>
      canonicalObject(messages, draft, isCanonical) as Draft, // the same kind of object
    zero: canonicalObject(messages, kind),
  };
}

function subresourcesOf({ group, kind, subresources }: BuiltinResource): Subresources {
  const names = new Set(subresources.map(({ name }) => name));
  const scale = names.has("scale") ? scalePathsOf(group, kind) : undefined;
  return { ...(names.has("status") && { status: true }), ...(scale !== undefined && { scale }) };
}
