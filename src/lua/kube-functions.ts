import type { Manifest } from "#api/meta/manifest.ts";
import { isJsonObject, RawNumber } from "#base/json.ts";
import { parseQuantity, printQuantity, type Quantity } from "#base/quantity.ts";
import { podDependencies } from "#interpreter/dependencies.ts";
import { objectAt } from "#interpreter/fields.ts";
import { requirementsOfPod } from "#interpreter/replicas.ts";

const none: Quantity = { nanos: 0n, format: "DecimalSI" };

/** The functions of the module `kube`; each throws with a message for the script's author. */
export const kubeFunctions: Readonly<Record<string, (args: readonly unknown[]) => unknown>> = {
  /** What a pod of a template needs; nothing where it needs nothing in particular. */
  accuratePodRequirements: ([template]) => requirementsOfPod(objectAt(template, "spec")) ?? null,

  /** What the pods of a template refer to, in a namespace or in `default`. */
  getPodDependencies: ([template, namespace]) => {
    if (!isJsonObject(template)) throw new Error("getPodDependencies needs a pod template");
    const metadata = { name: "", namespace: String(namespace ?? "default") };
    const workload = { apiVersion: "", kind: "", metadata, spec: { template } };
    return podDependencies("spec.template.spec")(workload satisfies Manifest);
  },

  /** An amount as a number. */
  getResourceQuantity: ([amount]) => Number(quantityOf(amount).nanos) / 1e9,

  /** The sum of amounts, written as the first that is not zero. */
  resourceAdd: (amounts) => {
    const sum = amounts.map(quantityOf).reduce(
      (total: Quantity, each): Quantity => ({
        nanos: total.nanos + each.nanos,
        format: total.nanos === 0n ? each.format : total.format,
      }),
      none,
    );
    return printQuantity(sum);
  },
};

/** Nothing is none of it. */
function quantityOf(amount: unknown): Quantity {
  if (amount === undefined || amount === null) return none;
  const text = amount instanceof RawNumber ? amount.token : String(amount);
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${JSON.stringify(text)} is not an amount`);
  return quantity;
}
