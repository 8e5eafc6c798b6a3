import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { compareQuantities, parseQuantity, type Quantity } from "#base/quantity.ts";

const zero: Quantity = { nanos: 0n, format: "DecimalSI" };
const one = 1_000_000_000n;
const notAnAmount = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const containerResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);
const standardResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...["requests.cpu", "requests.memory", "requests.ephemeral-storage", "limits.cpu", "limits.memory"],
  ...["limits.ephemeral-storage", "pods", "resourcequotas", "services", "replicationcontrollers", "secrets"],
  ...["persistentvolumeclaims", "configmaps", "services.nodeports", "services.loadbalancers", "storage"],
  ...["requests.storage"],
]);
const counted: ReadonlySet<string> = new Set([
  ...["pods", "services", "replicationcontrollers", "resourcequotas", "secrets", "configmaps"],
  ...["persistentvolumeclaims", "services.nodeports", "services.loadbalancers"],
]);

/** An amount that is not below zero, and whole where the resource is counted. */
export function amountErrors(path: string, name: string, text: unknown): FieldError[] {
  const quantity = parseQuantity(String(text));
  if (quantity === undefined) return [invalid(path, text, notAnAmount)];
  const errors: FieldError[] = [];
  if (compareQuantities(quantity, zero) < 0) errors.push(invalid(path, text, "must be greater than or equal to 0"));
  if (isWhole(name) && quantity.nanos % one !== 0n) errors.push(invalid(path, text, "must be an integer"));
  return errors;
}

/** An amount above zero. */
export function positiveAmount(path: string, text: unknown): FieldError[] {
  const quantity = parseQuantity(String(text));
  if (quantity === undefined) return [invalid(path, text, notAnAmount)];
  return compareQuantities(quantity, zero) > 0 ? [] : [invalid(path, text, "must be greater than zero")];
}

/** Limits and requests of a container: known names, no amount below zero, no request above its limit. */
export function requirementErrors(path: string, requirements: Fields | undefined): FieldError[] {
  const limits: Fields = requirements?.limits ?? {};
  const requests: Fields = requirements?.requests ?? {};
  const errors = Object.entries(limits).flatMap(([name, text]) => listedAmount(`${path}.limits[${name}]`, name, text));
  for (const [name, text] of Object.entries(requests)) {
    errors.push(...listedAmount(`${path}.requests[${name}]`, name, text));
    if (Object.hasOwn(limits, name)) errors.push(...exceeding(path, { name, request: text, limit: limits[name] }));
    else if (!overcommits(name)) {
      errors.push(required(`${path}.limits`, "Limit must be set for non overcommitable resources"));
    }
  }
  return errors;
}

function listedAmount(path: string, name: string, text: unknown): FieldError[] {
  return [...containerResourceName(path, name), ...amountErrors(path, name, text)];
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

/** The name of a resource that a container may ask for. */
function containerResourceName(path: string, name: string): FieldError[] {
  const problems = qualifiedNameErrors(name).map((message) => invalid(path, name, message));
  if (problems.length > 0 || name.includes("/") || name.startsWith("hugepages-")) return problems;
  const errors: FieldError[] = [];
  if (!standardResources.has(name)) {
    errors.push(invalid(path, name, "must be a standard resource type or fully qualified"));
  }
  if (!containerResources.has(name)) errors.push(invalid(path, name, "must be a standard resource for containers"));
  return errors;
}

/** Native resources may be promised more than once; devices and huge pages may not. */
function overcommits(name: string): boolean {
  const native = !name.includes("/") || name.includes("kubernetes.io/");
  return native && !name.startsWith("hugepages-");
}

function isWhole(name: string): boolean {
  return counted.has(name) || (name.includes("/") && !name.includes("kubernetes.io/"));
}
