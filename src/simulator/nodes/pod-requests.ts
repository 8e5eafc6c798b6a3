import type { Fields } from "#api/meta/object-meta.ts";
import { parseQuantity } from "#base/quantity.ts";

/** Amounts by resource name, in billionths. */
export type Amounts = ReadonlyMap<string, bigint>;

/** What a pod asks of its node: its containers together, or an init container alone if that is more. */
export function podRequests(podSpec: Fields): Amounts {
  const containers: readonly Fields[] = podSpec["containers"] ?? [];
  const init: readonly Fields[] = podSpec["initContainers"] ?? [];
  const sidecars = init.filter(({ restartPolicy }) => restartPolicy === "Always");
  const total = new Map<string, bigint>();
  for (const { resources } of [...containers, ...sidecars, { resources: { requests: podSpec["overhead"] } }]) {
    for (const [name, amount] of amountsOf(resources?.requests)) total.set(name, (total.get(name) ?? 0n) + amount);
  }
  for (const { resources } of init) {
    for (const [name, amount] of amountsOf(resources?.requests)) {
      if (amount > (total.get(name) ?? 0n)) total.set(name, amount);
    }
  }
  return total;
}

/** A resource list as numbers; what is no amount counts as nothing. */
export function amountsOf(list: Fields | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(String(text))?.nanos ?? 0n]));
}
