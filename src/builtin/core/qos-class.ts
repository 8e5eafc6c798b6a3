import type { Fields } from "#api/meta/object-meta.ts";
import { parseQuantity } from "#base/quantity.ts";

type Totals = Map<string, bigint>;
const counted = ["cpu", "memory"];

/** The quality of service a pod gets by what its containers ask for. */
export function qosClassOf(spec: Fields): "Guaranteed" | "Burstable" | "BestEffort" {
  const holders: readonly Fields[] =
    spec.resources != null ? [spec] : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const requests: Totals = new Map();
  const limits: Totals = new Map();
  let bounded = true;
  for (const holder of holders) {
    add(requests, holder.resources?.requests);
    if (add(limits, holder.resources?.limits) < counted.length) bounded = false;
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const equal = [...requests].every(([name, amount]) => limits.get(name) === amount);
  return bounded && equal && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

/** Adds the positive amounts that count and says how many there were. */
function add(totals: Totals, list: Fields | undefined): number {
  let found = 0;
  for (const name of counted) {
    const nanos = parseQuantity(String(list?.[name] ?? "0"))?.nanos ?? 0n;
    if (nanos <= 0n) continue;
    totals.set(name, (totals.get(name) ?? 0n) + nanos);
    found++;
  }
  return found;
}
