import type { Fields } from "#api/meta/object-meta.ts";
import { setMember } from "#base/json.ts";
import { parseQuantity, printQuantity, type Quantity } from "#base/quantity.ts";

/** A pod with limits of its own requests what its containers request, and else its limits. */
export function defaultPodLevelRequests(spec: Fields): void {
  const resources = spec.resources;
  if (resources?.limits == null || Object.keys(resources.limits).length === 0) return;
  const requests: Fields = { ...resources.requests };
  for (const [name, amount] of containerRequests(spec)) {
    if (name in overcommittable && !Object.hasOwn(requests, name)) setMember(requests, name, printQuantity(amount));
  }
  for (const [name, limit] of Object.entries(resources.limits)) {
    const supported = name in overcommittable || name.startsWith("hugepages-");
    if (supported && !Object.hasOwn(requests, name)) setMember(requests, name, limit);
  }
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

const overcommittable: Readonly<Record<string, true>> = { cpu: true, memory: true };

type Amounts = Map<string, Quantity>;

/**
 * What a pod's containers need together: the sum of those that run side by side, or the largest single init container
 * with the sidecars that started before it.
 */
export function containerRequests(spec: Fields): Amounts {
  let sidecars: Amounts = new Map();
  let initPeak: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container);
    if (container.restartPolicy === "Always") {
      sidecars = combine(sidecars, own, (a, b) => a + b);
      initPeak = combine(initPeak, sidecars, larger);
    } else
      initPeak = combine(
        initPeak,
        combine(own, sidecars, (a, b) => a + b),
        larger,
      );
  }
  let running = sidecars;
  for (const container of spec.containers ?? []) running = combine(running, amountsOf(container), (a, b) => a + b);
  return combine(running, initPeak, larger);
}

function amountsOf(container: Fields): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, text] of Object.entries(container.resources?.requests ?? {})) {
    const quantity = parseQuantity(String(text));
    if (quantity !== undefined) amounts.set(name, quantity);
  }
  return amounts;
}

function combine(a: Amounts, b: Amounts, merge: (a: bigint, b: bigint) => bigint): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const known = result.get(name);
    result.set(name, known === undefined ? amount : { ...known, nanos: merge(known.nanos, amount.nanos) });
  }
  return result;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
