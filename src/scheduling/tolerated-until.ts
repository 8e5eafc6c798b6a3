import type { Taint } from "#api/core/taint.ts";
import type { Toleration } from "#api/core/toleration.ts";
import { tolerates } from "./untolerated-taint.ts";

/**
 * Until when a taint that drives out is tolerated, in milliseconds since 1970: the first toleration that covers it counts, its seconds from
 * when the taint was added. Not at all is -Infinity, for ever Infinity. Admission dates every such taint; without a date no time runs out.
 */
export function toleratedUntilMs(taint: Taint, tolerations: readonly Toleration[]): number {
  const toleration = tolerations.find((each) => tolerates(each, taint));
  if (toleration === undefined) return Number.NEGATIVE_INFINITY;
  const { tolerationSeconds } = toleration;
  if (tolerationSeconds === undefined) return Number.POSITIVE_INFINITY;
  if (tolerationSeconds <= 0) return Number.NEGATIVE_INFINITY;
  if (taint.timeAdded === undefined) return Number.POSITIVE_INFINITY;
  return Date.parse(taint.timeAdded) + Number(tolerationSeconds) * 1_000;
}
