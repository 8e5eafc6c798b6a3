import type { Taint } from "#api/core/taint.ts";
import type { Toleration } from "#api/core/toleration.ts";

/** The first taint that none of the tolerations tolerates. */
export function untoleratedTaint(taints: readonly Taint[], tolerations: readonly Toleration[]): Taint | undefined {
  return taints.find((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
}

/** Whether a toleration covers a taint: an empty effect or key covers any, an operator that is not known covers nothing. */
export function tolerates({ key = "", operator = "", value = "", effect = "" }: Toleration, taint: Taint): boolean {
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  return (operator === "" || operator === "Equal") && value === (taint.value ?? "");
}

/** A taint as `kubectl` writes it: `key=value:effect`. */
export function printTaint({ key, value = "", effect }: Taint): string {
  return `${key}${value === "" ? "" : `=${value}`}:${effect}`;
}
