import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid, namedText, notSupported } from "#base/field-error.ts";
import { parseQuantity } from "#base/quantity.ts";
import { amountErrors } from "../resource-amounts.ts";
import { isNative } from "../resource-names.ts";
import { textErrors } from "../value-rules.ts";

const resizes = [
  ...["ControllerResizeInProgress", "ControllerResizeInfeasible"],
  ...["NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"],
];

/** What is wrong with the amounts that the status of a claim tells of, and with how far a change of them has come. */
export function claimStatusErrors({ status }: Fields): FieldError[] {
  const { capacity, allocatedResourceStatuses: states, allocatedResources } = (status ?? {}) as Fields; // decoded
  return [
    ...Object.entries(capacity ?? {}).flatMap(([name, amount]) => belowZero(`status.capacity[${name}]`, amount)),
    ...Object.entries(states ?? {}).flatMap(([name, state]) => stateErrors(name, state)),
    ...Object.entries(allocatedResources ?? {}).flatMap(([name, amount]) => allocationErrors(name, amount)),
  ];
}

function stateErrors(name: string, state: unknown): FieldError[] {
  const path = "status.allocatedResourceStatuses";
  const known = resizes.includes(String(state));
  return [...keyErrors(path, name), ...(known ? [] : [notSupported(path, namedText(name), resizes)])];
}

function allocationErrors(name: string, amount: unknown): FieldError[] {
  const path = "status.allocatedResources";
  const errors = keyErrors(path, name);
  if (errors.length > 0) return errors;
  const negative = belowZero(`${path}[${name}]`, amount);
  return negative.length > 0 ? negative : amountErrors(`${path}[${name}]`, "storage", amount);
}

/** Of Kubernetes' own resources a claim has storage alone. */
function keyErrors(path: string, name: string): FieldError[] {
  const errors = textErrors(path, name, qualifiedNameErrors);
  if (errors.length > 0 || !isNative(name) || name === "storage") return errors;
  return [notSupported(path, name, ["storage"])];
}

/** Messages show the amount as a whole number, rounded away from zero. */
function belowZero(path: string, amount: unknown): FieldError[] {
  const nanos = parseQuantity(String(amount))?.nanos ?? 0n;
  if (nanos >= 0n) return [];
  return [invalid(path, Number((nanos - 999_999_999n) / 1_000_000_000n), "must be a valid resource quantity")];
}
