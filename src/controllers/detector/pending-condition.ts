import type { Condition } from "#api/meta/condition.ts";
import { withConditions } from "#api/meta/with-condition.ts";
import { policyText } from "#api/policy/policy-text.ts";
import { policyPendingCondition } from "#api/work/condition-reasons.ts";
import type { Pending } from "./decide-activation.ts";

/** What waits, in one sentence for people. */
export function pendingText(pending: Pending): string {
  switch (pending.why) {
    case "policy changed":
      return `A change of ${policyText(pending.policy)} (${pending.changes.join(", ")}) takes effect when the resource is edited or reconciled.`;
    case "another policy waits":
      return `${capital(policyText(pending.policy))} takes over when the resource is edited or reconciled.`;
    case "no policy matches the edited template":
      return "The resource was edited and no policy matches it: the edit takes effect when one does.";
    case "released cluster by cluster":
      return `Changes are released on ${pending.clusters.join(", ") || "no cluster"} so far; the other copies stay as they are until 'flotilla reconcile' goes on.`;
  }
}

/**
 * The conditions of a binding with what is pending; undefined when they say so already. A binding that never had anything pending
 * says nothing.
 */
export function withPending(
  conditions: readonly Condition[],
  pending: Pending | undefined,
  now: string,
): readonly Condition[] | undefined {
  const { type, reasons, activated } = policyPendingCondition;
  const present = conditions.find((each) => each.type === type);
  if (pending === undefined) {
    if (present === undefined || present.status === "False") return undefined;
    return withConditions<Condition>(conditions, [{ type, status: "False", ...activated }], now);
  }
  const reason = reasons[pending.why];
  const message = pendingText(pending);
  if (present?.status === "True" && present.reason === reason && present.message === message) return undefined;
  return withConditions<Condition>(conditions, [{ type, status: "True", reason, message }], now);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
