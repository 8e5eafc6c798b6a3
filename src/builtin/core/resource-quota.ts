import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { amountErrors } from "../resource-amounts.ts";
import { quotaResourceErrors } from "../resource-names.ts";
import { immutable } from "../value-rules.ts";
import { canonicalResourceList } from "./canonical-quantities.ts";
import { scopeErrors, scopeSelectorErrors } from "./quota-scope-rules.ts";

/** ResourceQuotas. */
export const resourceQuotaStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  prefixJudgedOnce: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.status ??= {};
    for (const list of [draft.spec.hard, draft.status.hard, draft.status.used]) canonicalResourceList(list);
  },
  prepareForCreate: (draft) => {
    draft.status = {};
  },
  validate: ({ spec }: Fields) => [
    ...Object.entries(spec.hard ?? {}).flatMap(([name, amount]) => [
      ...quotaResourceErrors(`spec.hard[${name}]`, name),
      ...amountErrors(`spec.hard[${name}]`, name, amount),
    ]),
    ...scopeErrors(spec),
    ...scopeSelectorErrors(spec),
  ],
  validateUpdate: ({ spec }: Fields, old: Fields) => immutable("spec.scopes", spec.scopes, old.spec.scopes),
};
