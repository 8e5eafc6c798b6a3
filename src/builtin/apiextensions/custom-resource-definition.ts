import type { ApiObject, Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden } from "#base/field-error.ts";
import type { Json } from "#base/json.ts";
import { definitionErrors, definitionUpdateErrors, nameFormErrors, newDefinitionErrors } from "./definition-rules.ts";
import { rootSchemaErrors } from "./root-schema.ts";
import { selectableFieldErrors } from "./selectable-fields.ts";
import { type SharedSpec, sharedSpec } from "./shared-parts.ts";

const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** What is wrong with one version's schema; who loads the kinds hands in the check that knows structural schemas. */
export type SchemaCheck = (schema: Json, path: string) => readonly FieldError[];

/** CustomResourceDefinitions: their objects go before they do. */
export function customResourceDefinitionStrategy(schemaErrors: SchemaCheck): Strategy {
  return {
    generation: "spec",
    prefixJudgedOnce: true,
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
    validate: (object: Fields) => {
      const shared = sharedSpec(object.spec ?? {});
      const errors = [
        ...definitionErrors(object),
        ...schemasOf(shared).flatMap(({ schema, path, status }) => [
          ...(status ? rootSchemaErrors(schema, path) : []),
          ...schemaErrors(schema as Json, path), // decoded
        ]),
        ...selectableFieldErrors(shared),
      ];
      return errors.length > 0 ? errors : unsupportedErrors(object.spec, shared);
    },
    validateNew: newDefinitionErrors,
    validateUpdate: (object: ApiObject, old: ApiObject) => definitionUpdateErrors(object, old),
    validateStatus: ({ status }: Fields) => nameFormErrors(status?.acceptedNames ?? {}, "status.acceptedNames"),
  };
}

interface PlacedSchema {
  readonly schema: Fields;
  readonly path: string;
  /** Whether the status that it describes is a subresource. */
  readonly status: boolean;
}

/** The schemas with the places where Kubernetes tells of them: what all versions share it looks at once, as a part of the whole. */
function schemasOf({ versions, whole }: SharedSpec): readonly PlacedSchema[] {
  const ofVersions = versions.map(({ schema, subresources }, index) => ({
    schema: schema?.openAPIV3Schema,
    path: `spec.versions[${index}].schema.openAPIV3Schema`,
    status: (subresources ?? whole["subresources"])?.status != null,
  }));
  const ofAll = {
    schema: whole["schema"]?.openAPIV3Schema,
    path: "spec.validation.openAPIV3Schema",
    status: [whole, ...versions].some(({ subresources }) => subresources?.status != null),
  };
  return [...ofVersions, ofAll].filter(({ schema }) => schema != null);
}

/** What we do not do is refused by name, and only of what is right otherwise: a rule that nobody checks would be worse than none (K2). */
function unsupportedErrors({ conversion }: Fields, shared: SharedSpec): FieldError[] {
  return [
    ...(conversion?.strategy === "Webhook"
      ? [forbidden("spec.conversion.strategy", "webhooks that convert are not supported by this server")]
      : []),
    ...schemasOf(shared).flatMap(({ schema, path }) => ruleErrors(schema, path)),
  ];
}

function ruleErrors(node: unknown, path: string): FieldError[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const at = Array.isArray(node) ? `${path}[${key}]` : `${path}.${key}`;
    if (key !== "x-kubernetes-validations" || !Array.isArray(value)) return ruleErrors(value, at);
    return [forbidden(at, "rules in CEL are not supported by this server")];
  });
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
