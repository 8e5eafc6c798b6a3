import type { Override } from "#api/policy/override-policy.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { compareBytes } from "#base/byte-order.ts";
import { stringifyJson } from "#base/json.ts";
import { sortFew } from "#base/sort-few.ts";
import type { ChosenRule } from "./choose-rules.ts";

/** The rules of one kind of policy that were applied, by policy name, as works record them; undefined when there are none. */
export function appliedOverrides(rules: readonly ChosenRule[], kind: Override["kind"]): string | undefined {
  const applied: ChosenRule[] = [];
  for (const rule of rules) if (rule.policy.kind === kind && rule.skippedBy === undefined) applied.push(rule);
  if (applied.length === 0) return undefined;
  // rules of one policy stay in their order
  const sorted = sortFew(applied, (a, b) => compareBytes(a.policy.metadata.name, b.policy.metadata.name));
  return `[${sorted.map(({ printed }) => printed).join(",")}]`;
}

/** One rule that was applied, as works record it. */
export function printApplied(policyName: string, overriders: Overriders): string {
  return stringifyJson({ policyName, overriders: withoutEmpty(overriders) });
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
