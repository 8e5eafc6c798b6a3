import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { textErrors } from "../value-rules.ts";

/** What is wrong with the keys of labels by whose values pods are told apart, in affinities and spreads. */
export function labelKeyErrors(holder: Fields, path: string): FieldError[] {
  const matching: readonly string[] = holder.matchLabelKeys ?? [];
  const others: readonly string[] = holder.mismatchLabelKeys ?? [];
  const mismatching = new Set(others);
  const both = "exists in both matchLabelKeys and mismatchLabelKeys";
  return [
    ...keyErrors(matching, `${path}.matchLabelKeys`, holder.labelSelector),
    ...keyErrors(others, `${path}.mismatchLabelKeys`, holder.labelSelector),
    ...selectedErrors(matching, path, holder.labelSelector),
    ...matching.flatMap((key, index) =>
      mismatching.has(key) ? [invalid(`${path}.matchLabelKeys[${index}]`, key, both)] : [],
    ),
  ];
}

function keyErrors(keys: readonly string[], path: string, selector: Fields | undefined): FieldError[] {
  if (keys.length === 0) return [];
  if (selector == null) return [forbidden(path, "must not be specified when labelSelector is not set")];
  return keys.flatMap((key, index) => textErrors(`${path}[${index}]`, key ?? "", qualifiedNameErrors));
}

/** The selector has each key once already, for it is completed with them; upstream names the place of the key, not its list. */
function selectedErrors(keys: readonly string[], path: string, selector: Fields | undefined): FieldError[] {
  const seen = new Set<string>(Object.keys(selector?.matchLabels ?? {}));
  const places = new Map(keys.map((key, index) => [key, index])); // the last of each
  return (selector?.matchExpressions ?? []).flatMap(({ key = "" }: Fields) => {
    const index = places.get(key);
    const again = index !== undefined && seen.has(key);
    seen.add(key);
    return again ? [invalid(`${path}[${index}]`, key, "exists in both matchLabelKeys and labelSelector")] : [];
  });
}
