import type { Fields } from "#api/meta/object-meta.ts";
import { isJsonObject, RawNumber, setMember } from "#base/json.ts";
import { canonicalQuantity } from "#base/quantity.ts";

/** Puts every amount of a resource list (`cpu: 0.5`) into canonical form; amounts finer than thousandths are rounded up. */
export function canonicalResourceList(list: unknown): void {
  if (!isJsonObject(list)) return;
  for (const [name, amount] of Object.entries(list)) {
    const text = amountText(amount);
    if (text !== undefined) setMember(list, name, canonicalQuantity(text, "milli"));
  }
}

/** Puts the amounts of limits and requests into canonical form. */
export function canonicalRequirements(requirements: unknown): void {
  if (!isJsonObject(requirements)) return;
  canonicalResourceList(requirements.limits);
  canonicalResourceList(requirements.requests);
}

/** Puts single amounts, named by their members, into canonical form. */
export function canonicalMembers(holder: Fields | null | undefined, ...members: readonly string[]): void {
  for (const name of members) {
    const text = amountText(holder?.[name]);
    if (holder != null && text !== undefined) holder[name] = canonicalQuantity(text);
  }
}

/** Clients may write an amount as a number. */
function amountText(amount: unknown): string | undefined {
  if (typeof amount === "string") return amount;
  if (typeof amount === "number") return String(amount);
  return amount instanceof RawNumber ? amount.token : undefined;
}
