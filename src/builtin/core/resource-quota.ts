import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import type { FieldError } from "#base/field-error.ts";
import { compareQuantities, parseQuantity } from "#base/quantity.ts";
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
  warnings: ({ spec }: Fields, old) => (old === undefined ? quotaWarnings(spec.hard ?? {}) : []),
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

/** More asked for than may be used. */
function quotaWarnings(hard: Fields): string[] {
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((name) => {
    const bare = name === "cpu" || name === "memory" ? [name] : [];
    const request = [`requests.${name}`, ...bare].find((key) => Object.hasOwn(hard, key));
    const limit = `limits.${name}`;
    if (request === undefined || !Object.hasOwn(hard, limit)) return [];
    const [asked, most] = [parseQuantity(String(hard[request])), parseQuantity(String(hard[limit]))];
    if (asked === undefined || most === undefined || compareQuantities(asked, most) <= 0) return [];
    return [`ResourceQuota ${request} (${hard[request]}) should be less than ${limit} (${hard[limit]})`];
  });
}

function boundErrors(path: string, amounts: Fields | undefined | null): FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => [
    ...quotaResourceErrors(`${path}[${name}]`, name),
    ...amountErrors(`${path}[${name}]`, name, amount),
  ]);
}
