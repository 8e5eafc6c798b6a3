import type { Fields } from "#api/meta/object-meta.ts";
import { goQuote } from "#base/go-text.ts";
import { parseQuantity } from "#base/quantity.ts";
import { isWholeInGo } from "../resource-amounts.ts";

/** That an amount of bytes is no whole number. */
export function fractionWarnings(amounts: Fields | undefined, path: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const text = amounts?.[name];
    const quantity = text === undefined ? undefined : parseQuantity(String(text));
    if (quantity === undefined || isWholeInGo(quantity.nanos)) return [];
    return [`${path}[${name}]: fractional byte value ${goQuote(String(text))} is invalid, must be an integer`];
  });
}

/** What is to be said of what a claim asks for. */
export function claimWarnings(spec: Fields | undefined, path: string): string[] {
  return ["requests", "limits"].flatMap((list) =>
    fractionWarnings(spec?.resources?.[list], `${path}.resources.${list}`, ["storage"]),
  );
}
