import { embeddedResourceRules } from "#api/meta/embedded-resource.ts";
import { type FieldError, fieldErrorMessage } from "#base/field-error.ts";
import { cloneJson, type Json } from "#base/json.ts";
import { findDataDirectory } from "#builtin/data-directory.ts";
import { loadBuiltinCatalog } from "#builtin/load-schemas.ts";
import { applyDefaults, dropUnwantedNulls } from "#schema/default-fields.ts";
import { coerceEmbedded } from "#schema/embedded-resources.ts";
import { createPatternCache } from "#schema/pattern-cache.ts";
import { pruneUnknown } from "#schema/prune-fields.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { findSchemaErrors } from "#schema/structural-schema.ts";
import { validateFields, validateFieldsUpdate } from "#schema/validate-fields.ts";
import type { SchemaQuestion } from "./schema-questions.ts";

const patterns = createPatternCache();
const catalog = loadBuiltinCatalog(findDataDirectory());
const rules = embeddedResourceRules(catalog.nodes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")!);

/** Our answer to a question, in the form of tools/kubernetes-answers/schemas; findings sorted, as Kubernetes' own order is random. */
export function ourSchemaAnswer(question: SchemaQuestion): unknown {
  const node = question.schema as SchemaNode; // for all but `definition`, which takes anything, it is right
  const draft = cloneJson((question.value ?? null) as Json);
  switch (question.op) {
    case "validate":
    case "update":
      return lines(judge(question, draft, node));
    case "prune": {
      const unknown = pruneUnknown(draft, node, { onUnknown: "drop" }).toSorted();
      return { value: draft, unknown };
    }
    case "default":
      applyDefaults(draft, node);
      return { value: draft };
    case "nulls":
      dropUnwantedNulls(draft, node);
      return { value: draft };
    case "definition":
      return lines(findSchemaErrors(question.schema, "spec.validation.openAPIV3Schema", rules));
  }
}

function judge({ op, old }: SchemaQuestion, draft: Json, node: SchemaNode): readonly FieldError[] {
  const misshapen = coerceEmbedded(draft, node, { rules });
  if (misshapen !== undefined) return [misshapen];
  if (op === "validate") return validateFields(draft, node, { patterns, embedded: rules });
  const stored = cloneJson(old as Json);
  coerceEmbedded(stored, node, { rules });
  return validateFieldsUpdate(draft, node, { old: stored, patterns, embedded: rules });
}

function lines(errors: readonly FieldError[]): string[] {
  return errors.map(fieldErrorMessage).toSorted();
}
