import { isNodeResource } from "#api/core/resource-names.ts";
import { isJsonObject, type JsonObject, RawNumber } from "#base/json.ts";
import { parseQuantity, printQuantity, type QuantityFormat } from "#base/quantity.ts";
import { objectAt, objectsAt, valueAt } from "./fields.ts";
import { Malformed } from "./interpretation.ts";

/** Amounts by resource: thousandths of a CPU, whole units of all else. */
type Amounts = ReadonlyMap<string, bigint>;

/**
 * What one pod requests: the sum of its containers, or the largest of its init containers where that is more, and its overhead. A limit
 * without a request counts as one. Undefined when it requests nothing.
 */
export function podRequests(podSpec: JsonObject): Readonly<Record<string, string>> | undefined {
  const total = new Map<string, bigint>();
  const add = (amounts: Amounts) => {
    for (const [resource, amount] of amounts) total.set(resource, (total.get(resource) ?? 0n) + amount);
  };
  for (const container of objectsAt(podSpec, "containers")) add(requestsOf(container));
  for (const container of objectsAt(podSpec, "initContainers")) {
    for (const [resource, amount] of requestsOf(container)) {
      if (amount > (total.get(resource) ?? 0n)) total.set(resource, amount);
    }
  }
  add(amountsOf(objectAt(podSpec, "overhead")));
  const requested = [...total].filter(([, amount]) => amount > 0n);
  return requested.length === 0 ? undefined : Object.fromEntries(requested.map(print));
}

const nothing: Amounts = new Map();

function requestsOf(container: JsonObject): Amounts {
  if (valueAt(container, "resources") === undefined) return nothing;
  const limits = objectAt(container, "resources.limits");
  return amountsOf({ ...limits, ...objectAt(container, "resources.requests") });
}

function amountsOf(list: JsonObject): Amounts {
  const amounts = new Map<string, bigint>();
  for (const [resource, value] of Object.entries(list)) {
    const quantity = parseQuantity(value instanceof RawNumber ? value.token : String(value));
    if (quantity === undefined || isJsonObject(value)) throw new Malformed(`${resource}: ${value} is not an amount`);
    if (isNodeResource(resource)) amounts.set(resource, ceilDivide(quantity.nanos, unitOf(resource)));
  }
  return amounts;
}

function print([resource, amount]: readonly [string, bigint]): [string, string] {
  return [resource, printQuantity({ nanos: amount * unitOf(resource), format: formatOf(resource) })];
}

function unitOf(resource: string): bigint {
  return resource === "cpu" ? 1_000_000n : 1_000_000_000n;
}

function formatOf(resource: string): QuantityFormat {
  const inBytes = resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-");
  return inBytes ? "BinarySI" : "DecimalSI";
}

function ceilDivide(value: bigint, divisor: bigint): bigint {
  return value > 0n ? (value + divisor - 1n) / divisor : value / divisor;
}
