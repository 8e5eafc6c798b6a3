import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { conditionErrors } from "../condition-rules.ts";
import { requiredText } from "../value-rules.ts";

/** ValidatingAdmissionPolicies and MutatingAdmissionPolicies: kept, not carried out. */
export const admissionPolicyStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: false,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.spec.failurePolicy ??= "Fail";
    defaultMatch(draft.spec.matchConstraints);
  },
  validateStatus: ({ status }: Fields) => [
    ...(status?.typeChecking?.expressionWarnings ?? []).flatMap(({ warning, fieldRef }: Fields, index: number) => {
      const at = `status.typeChecking.expressionWarnings[${index}]`;
      return [...requiredText(`${at}.warning`, warning), ...requiredText(`${at}.fieldRef`, fieldRef?.trim())];
    }),
    ...conditionErrors("status.conditions", status?.conditions),
  ],
};

/** Their bindings. */
export const admissionPolicyBindingStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: false,
  applyDefaults: (draft: Draft) => defaultMatch(draft.spec?.matchResources),
};

function defaultMatch(match: Fields | undefined): void {
  if (match == null) return;
  match.matchPolicy ??= "Equivalent";
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const list of ["resourceRules", "excludeResourceRules"])
    for (const rule of match[list] ?? []) rule.scope ??= "*";
}
