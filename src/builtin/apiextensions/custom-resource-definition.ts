import type { ApiObject, Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import type { FieldError } from "#base/field-error.ts";
import type { Json } from "#base/json.ts";
import { definitionErrors, definitionUpdateErrors, nameFormErrors } from "./definition-rules.ts";
import { isShared } from "./shared-parts.ts";

const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** What is wrong with one version's schema; who loads the kinds hands in the check that knows structural schemas. */
export type SchemaCheck = (schema: Json, path: string) => readonly FieldError[];

/** CustomResourceDefinitions: their objects go before they do. */
export function customResourceDefinitionStrategy(schemaErrors: SchemaCheck): Strategy {
  return {
    generation: "spec",
    unconditionalUpdate: false,
    ownStatus: { manager: "kube-apiserver", parts: ["conditions", "acceptedNames"] },
    applyDefaults: defaultDefinition,
    prepareForCreate: (draft) => {
      draft.status = { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: [] };
      recordStoredVersion(draft);
    },
    prepareForUpdate: (draft, old: Fields) => {
      draft.status = { ...old.status };
      recordStoredVersion(draft);
    },
    prepareForDelete: (draft) => {
      const finalizers = draft.metadata.finalizers ?? [];
      if (!finalizers.includes(cleanupFinalizer)) draft.metadata.finalizers = [...finalizers, cleanupFinalizer];
    },
    validate: (object: Fields) => [
      ...definitionErrors(object),
      ...schemasOf(object.spec?.versions ?? []).flatMap(({ schema, path }) => schemaErrors(schema, path)),
    ],
    validateUpdate: (object: ApiObject, old: ApiObject) => definitionUpdateErrors(object, old),
    validateStatus: ({ status }: Fields) => nameFormErrors(status?.acceptedNames ?? {}, "status.acceptedNames"),
  };
}

/** The schemas with the places where Kubernetes tells of them: what all versions share it looks at once, as a part of the whole. */
function schemasOf(versions: readonly Fields[]): { schema: Json; path: string }[] {
  const schemas = versions.map((version, index) => ({
    schema: version.schema?.openAPIV3Schema,
    path: `spec.versions[${index}].schema.openAPIV3Schema`,
  }));
  const first = schemas[0];
  if (first?.schema != null && isShared(versions, "schema")) {
    return [{ schema: first.schema, path: "spec.validation.openAPIV3Schema" }];
  }
  return schemas.filter(({ schema }) => schema != null);
}

function defaultDefinition(draft: Draft): void {
  draft.spec ??= {};
  const { spec } = draft;
  spec.names ??= {};
  spec.names.singular ||= String(spec.names.kind ?? "").toLowerCase();
  if (spec.names.kind) spec.names.listKind ||= `${spec.names.kind}List`;
  spec.conversion ??= { strategy: "None" };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service != null) service.port ??= 443;
}

function recordStoredVersion(draft: Draft): void {
  const name = (draft.spec.versions ?? []).find((version: Fields) => version.storage === true)?.name;
  const stored: readonly string[] = draft.status.storedVersions ?? [];
  if (name !== undefined && !stored.includes(name)) draft.status.storedVersions = [...stored, name];
}
