import { embeddedResourceRules } from "#api/meta/embedded-resource.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { customTable } from "#api/meta/printer-columns.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { valueAt } from "#apiserver/write/scale-form.ts";
import { embedsResources } from "#schema/embedded-resources.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { uniformSchema } from "#schema/uniform-schema.ts";
import type { Definition, DefinitionVersion } from "./definition.ts";

/** More writes than can be under way when a definition changes: those may still follow its former schema. */
const writesUnderWay = 10_000;

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** The resource types that a definition adds: one for each served version, all over one storage. */
export function customResourceTypes(definition: Definition, objectMeta: SchemaNode): readonly ResourceType[] {
  return definition.spec.versions
    .filter(({ served }) => served)
    .map((version) => customResourceType(definition, version, objectMeta));
}

function customResourceType(definition: Definition, version: DefinitionVersion, objectMeta: SchemaNode): ResourceType {
  const { spec, metadata } = definition;
  const { names, group } = spec;
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === "Namespaced",
    // what would be created while the last objects are cleared away would outlive its definition
    verbs: metadata.deletionTimestamp === undefined ? verbs : verbs.filter((verb) => verb !== "create"),
    schema: wholeObject(version, objectMeta),
    subresources: {
      ...(version.subresources?.status === undefined ? {} : { status: true }),
      ...(version.subresources?.scale === undefined ? {} : { scale: version.subresources.scale }),
    },
    strategy: {
      ...{ generation: "spec", unconditionalUpdate: false, prefixJudgedOnce: true },
      fieldSelectors: selectors(version.selectableFields ?? []),
    },
    table: customTable(version.additionalPrinterColumns),
    custom: true,
    ...(embedsResources(version.schema?.openAPIV3Schema ?? {}) ? { embedded: embeddedResourceRules(objectMeta) } : {}),
    shapedAfter: Number(metadata.resourceVersion) + writesUnderWay,
  };
}

/** What each selectable field says of an object, as a text. */
function selectors(
  fields: NonNullable<DefinitionVersion["selectableFields"]>,
): NonNullable<ResourceType["strategy"]["fieldSelectors"]> {
  return Object.fromEntries(
    fields.map(({ jsonPath }) => [
      jsonPath.replace(/^\./, ""),
      (object: ApiObject) => {
        const value = valueAt(object, jsonPath);
        return value === undefined || value === null ? "" : String(value);
      },
    ]),
  );
}

/** The author's schema, with the fields that every object has: its metadata is checked like anybody's. */
function wholeObject({ schema }: DefinitionVersion, objectMeta: SchemaNode): SchemaNode {
  const own = schema?.openAPIV3Schema ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const { metadata: _, ...properties } = own.properties ?? {};
  const text: SchemaNode = { type: "string" };
  return uniformSchema({ ...own, properties: { apiVersion: text, kind: text, metadata: objectMeta, ...properties } });
}
