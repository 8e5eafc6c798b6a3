import type { Binding } from "#api/work/resource-binding.ts";
import { compareBytes } from "#base/byte-order.ts";
import { parseQuantity, printQuantity, type QuantityFormat } from "#base/quantity.ts";

/** What a FederatedResourceQuota says, as far as bindings are concerned. */
export interface FederatedQuota {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: { readonly overall?: Amounts };
  readonly status?: { readonly overallUsed?: Amounts };
}

type Amounts = Readonly<Record<string, string | number>>;
type Nanos = ReadonlyMap<string, bigint>;

/** The quotas whose use a binding changes, or why it may not. */
export type QuotaDecision =
  | {
      readonly allowed: true;
      readonly used: readonly { readonly quota: FederatedQuota; readonly overallUsed: Amounts }[];
    }
  | { readonly allowed: false; readonly message: string };

/** Whether the quotas of its namespace have room for what a binding takes more than before, and what is used then. */
export function decideQuota({
  binding,
  old,
  quotas,
}: {
  readonly binding: Binding;
  readonly old: Binding | undefined;
  readonly quotas: readonly FederatedQuota[];
}): QuotaDecision {
  const change = difference(usageOf(binding), old === undefined ? new Map() : usageOf(old));
  const used = [];
  for (const quota of quotas) {
    const { metadata, spec, status } = quota;
    const overall = spec?.overall;
    if (metadata.namespace !== binding.metadata.namespace || overall === undefined) continue;
    const counted = new Map([...change].filter(([name]) => Object.hasOwn(overall, name)));
    if (counted.size === 0) continue;
    const total = sum(amountsOf(status?.overallUsed ?? {}), counted);
    const exceeded = firstExceeded(total, amountsOf(overall));
    if (exceeded !== undefined) {
      const { name, requested, limit } = exceeded;
      const quotaName = `${metadata.namespace}/${metadata.name}`;
      const amounts = `requested sum ${print(name, requested)}, limit ${print(name, limit)}.`;
      return {
        allowed: false,
        message: `FederatedResourceQuota(${quotaName}) exceeded for resource ${name}: ${amounts}`,
      };
    }
    const entries = [...total].filter(([, amount]) => amount > 0n).map(([name, amount]) => [name, print(name, amount)]);
    used.push({ quota, overallUsed: Object.fromEntries(entries) as Amounts }); // built from texts
  }
  return { allowed: true, used };
}

/** What all replicas request in all clusters together; nothing while the binding is not scheduled. */
function usageOf({ spec }: Binding): Nanos {
  const { clusters = [], components = [], replicaRequirements } = spec;
  const usage = new Map<string, bigint>();
  const add = (request: Amounts | undefined, replicas: number) => {
    for (const [name, amount] of amountsOf(request ?? {})) {
      usage.set(name, (usage.get(name) ?? 0n) + amount * BigInt(replicas));
    }
  };
  const inClusters = clusters.reduce((total, { replicas = 0 }) => total + replicas, 0);
  if (components.length === 0) add(replicaRequirements?.resourceRequest, inClusters);
  for (const component of components) {
    add(component.replicaRequirements?.resourceRequest, component.replicas * clusters.length);
  }
  return usage;
}

function difference(next: Nanos, old: Nanos): Nanos {
  const negated = new Map([...old].map(([name, amount]) => [name, -amount] as const));
  return new Map([...sum(next, negated)].filter(([, amount]) => amount !== 0n));
}

function sum(a: Nanos, b: Nanos): Nanos {
  const result = new Map(a);
  for (const [name, amount] of b) result.set(name, (result.get(name) ?? 0n) + amount);
  return result;
}

function firstExceeded(requested: Nanos, limits: Nanos) {
  const names = [...requested.keys()].toSorted(compareBytes);
  const name = names.find((each) => limits.has(each) && requested.get(each)! > limits.get(each)!);
  return name === undefined ? undefined : { name, requested: requested.get(name)!, limit: limits.get(name)! };
}

const milli = 1_000_000n;
const whole = 1_000_000_000n;

/** CPU counts in thousandths, all else in whole units, rounded up. */
function amountsOf(amounts: Amounts): Nanos {
  return new Map(
    Object.entries(amounts).map(([name, text]) => {
      const { nanos } = parseQuantity(String(text)) ?? { nanos: 0n };
      const unit = name === "cpu" ? milli : whole;
      return [name, nanos <= 0n ? nanos : ((nanos + unit - 1n) / unit) * unit];
    }),
  );
}

const binary = /^(?:memory|ephemeral-storage|hugepages-.*)$/;

function print(name: string, nanos: bigint): string {
  const format: QuantityFormat = binary.test(name) ? "BinarySI" : "DecimalSI";
  return printQuantity({ nanos, format });
}
