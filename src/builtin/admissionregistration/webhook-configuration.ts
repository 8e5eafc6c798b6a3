import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { duplicate, type FieldError } from "#base/field-error.ts";
import { sameValue } from "../value-rules.ts";
import { matchConditionErrors } from "./match-condition-rules.ts";
import { webhookErrors } from "./webhook-rules.ts";

/** MutatingWebhookConfigurations. */
export const mutatingWebhookStrategy: Strategy = strategyOf("mutating");

/** ValidatingWebhookConfigurations. */
export const validatingWebhookStrategy: Strategy = strategyOf("validating");

const reserved = ".static.k8s.io";

function strategyOf(sort: "mutating" | "validating"): Strategy {
  return {
    generation: "spec",
    unconditionalUpdate: false,
    applyDefaults: (draft: Draft) => {
      for (const hook of draft.webhooks ?? []) {
        defaultWebhook(hook);
        if (sort === "mutating") hook.reinvocationPolicy ??= "Never";
      }
    },
    warnings: ({ metadata }) =>
      metadata.name.endsWith(reserved)
        ? [
            `metadata.name: names ending with "${reserved}" are reserved for static manifest-based configurations and cannot be managed via the API`,
          ]
        : [],
    validate: (object: Fields) => {
      const names = new Set<string>();
      return (object.webhooks ?? []).flatMap((hook: Fields, index: number) => {
        const path = `webhooks[${index}]`;
        const again = hook.name && names.has(hook.name) ? [duplicate(`${path}.name`, hook.name)] : [];
        names.add(hook.name);
        return [...webhookErrors(hook, path), ...again];
      });
    },
    validateNew: (object: Fields) => conditionErrors(object),
    validateUpdate: (object: Fields, old: Fields) =>
      sameValue(conditionsOf(object), conditionsOf(old)) ? [] : conditionErrors(object),
  };
}

function conditionsOf({ webhooks }: Fields): readonly (readonly Fields[])[] {
  return (webhooks ?? []).map(({ matchConditions }: Fields) => matchConditions ?? []);
}

function conditionErrors(object: Fields): FieldError[] {
  return conditionsOf(object).flatMap((conditions, index) =>
    matchConditionErrors(conditions, `webhooks[${index}].matchConditions`),
  );
}

function defaultWebhook(hook: Fields): void {
  hook.failurePolicy ??= "Fail";
  hook.matchPolicy ??= "Equivalent";
  hook.namespaceSelector ??= {};
  hook.objectSelector ??= {};
  hook.timeoutSeconds ??= 10;
  hook.clientConfig ??= {};
  if (hook.clientConfig.service != null) hook.clientConfig.service.port ??= 443;
  for (const rule of hook.rules ?? []) rule.scope ??= "*";
}
