import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid, required } from "#base/field-error.ts";
import { compareQuantities, parseQuantity, type Quantity } from "#base/quantity.ts";
import { containerResourceErrors, isHugePages, isWhole, overcommits } from "./resource-names.ts";

const zero: Quantity = { nanos: 0n, format: "DecimalSI" };
const notAnAmount = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
/** An amount that is not below zero, and whole where the resource is counted. */
export function amountErrors(path: string, name: string, text: unknown): FieldError[] {
  const quantity = parseQuantity(String(text));
  if (quantity === undefined) return [invalid(path, text, notAnAmount)];
  const errors: FieldError[] = [];
  if (compareQuantities(quantity, zero) < 0) errors.push(invalid(path, text, "must be greater than or equal to 0"));
  if (isWhole(name) && !isWholeInGo(quantity.nanos)) errors.push(invalid(path, text, "must be an integer"));
  return errors;
}

/** An amount above zero. */
export function positiveAmount(path: string, text: unknown): FieldError[] {
  const quantity = parseQuantity(String(text));
  if (quantity === undefined) return [invalid(path, text, notAnAmount)];
  return compareQuantities(quantity, zero) > 0 ? [] : [invalid(path, text, "must be greater than zero")];
}

/** What a name of a resource may be. */
type NameRule = (path: string, name: string) => FieldError[];

/** Limits and requests, of a container unless another rule of names is given: no amount below zero, no request above its limit. */
export function requirementErrors(
  path: string,
  requirements: Fields | undefined,
  names: NameRule = containerResourceErrors,
): FieldError[] {
  const limits: Fields = requirements?.limits ?? {};
  const requests: Fields = requirements?.requests ?? {};
  const listed = (at: string, name: string, text: unknown) => [...names(at, name), ...amountErrors(at, name, text)];
  const errors = Object.entries(limits).flatMap(([name, text]) => listed(`${path}.limits[${name}]`, name, text));
  for (const [name, text] of Object.entries(requests)) {
    errors.push(...listed(`${path}.requests[${name}]`, name, text));
    if (Object.hasOwn(limits, name)) errors.push(...exceeding(path, { name, request: text, limit: limits[name] }));
    else if (!overcommits(name)) {
      errors.push(required(`${path}.limits`, "Limit must be set for non overcommitable resources"));
    }
  }
  const all = Object.keys({ ...limits, ...requests });
  if (all.some(isHugePages) && !all.some((name) => name === "cpu" || name === "memory")) {
    errors.push(forbidden(path, "HugePages require cpu or memory"));
  }
  return errors;
}

function exceeding(
  path: string,
  { name, request, limit }: { name: string; request: unknown; limit: unknown },
): FieldError[] {
  const asked = parseQuantity(String(request));
  const bound = parseQuantity(String(limit));
  if (asked === undefined || bound === undefined) return [];
  const order = compareQuantities(asked, bound);
  if (order !== 0 && !overcommits(name)) {
    return [invalid(`${path}.requests`, request, `must be equal to ${name} limit of ${limit}`)];
  }
  return order > 0
    ? [invalid(`${path}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`)]
    : [];
}

/** Whether Go takes an amount for whole: thousandths are counted in 64 bits, and what does not fit is their largest number. */
export function isWholeInGo(nanos: bigint): boolean {
  const most = 2n ** 63n - 1n;
  const size = nanos < 0n ? -nanos : nanos;
  const thousandths = (size + 999_999n) / 1_000_000n;
  return (thousandths > most ? most : thousandths) % 1000n === 0n;
}
