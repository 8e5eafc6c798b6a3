import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import type { FieldError } from "#base/field-error.ts";
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
    ...boundErrors("spec.hard", spec.hard),
    ...scopeErrors(spec),
    ...scopeSelectorErrors(spec),
  ],
  validateUpdate: ({ spec }: Fields, old: Fields) => immutable("spec.scopes", spec.scopes, old.spec.scopes),
  prepareStatus: ({ status }) => {
    for (const list of [status?.hard, status?.used]) canonicalResourceList(list);
  },
  validateStatus: ({ status }: Fields) => [
    ...boundErrors("status.hard", status?.hard),
    ...boundErrors("status.used", status?.used),
  ],
};

function boundErrors(path: string, amounts: Fields | undefined | null): FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => [
    ...quotaResourceErrors(`${path}[${name}]`, name),
    ...amountErrors(`${path}[${name}]`, name, amount),
  ]);
}
