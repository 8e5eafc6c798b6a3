import type { Override } from "#api/policy/override-policy.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { compareBytes } from "#base/byte-order.ts";
import { sortFew } from "#base/sort-few.ts";
import type { ChosenRule } from "./choose-rules.ts";

/** One rule that was applied, as works record it. */
export interface AppliedOverride {
  readonly policyName: string;
  readonly overriders: Overriders;
}

/** The rules of one kind of policy that were applied, by policy name; rules of one policy stay in their order. */
export function appliedOverrides(rules: readonly ChosenRule[], kind: Override["kind"]): readonly AppliedOverride[] {
  const applied = rules
    .filter(({ policy, skippedBy }) => policy.kind === kind && skippedBy === undefined)
    .map(({ policy, overriders }) => ({ policyName: policy.metadata.name, overriders: withoutEmpty(overriders) }));
  return sortFew(applied, (a, b) => compareBytes(a.policyName, b.policyName));
}

/** As Karmada prints them: empty texts and lists are left out, but for plain text, whose values may be anything. */
function withoutEmpty(overriders: Overriders): Overriders {
  return Object.fromEntries(
    Object.entries(overriders)
      .filter(([, list]) => list.length > 0)
      .map(([field, list]) => [field, list.map((item) => (field === "plaintext" ? item : withoutEmptyMembers(item)))]),
  );
}

function withoutEmptyMembers(item: object): object {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === "" || value === undefined || (Array.isArray(value) && value.length === 0);
}
