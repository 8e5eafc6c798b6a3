import { bindingEvents } from "#api/work/event-reasons.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { EventRecorder, EventText } from "#runtime/event-recorder.ts";
import type { FailoverVerdict } from "./decide-failover.ts";

/** Says on a binding and its template which clusters it leaves, why, and where it is now. */
export function announceMove(events: EventRecorder, binding: Binding, verdict: FailoverVerdict): void {
  if (verdict.kind !== "moves") return;
  const targets = (verdict.binding.spec.clusters ?? []).map(({ name, replicas = 0 }) => `${name}:${replicas}`);
  for (const { fromCluster, message = "" } of verdict.tasks)
    tellBoth(events, binding, {
      type: "Normal",
      reason: bindingEvents.evict.succeed,
      message: `Moved away from cluster ${fromCluster}: ${message}. Result: {${targets.join(", ")}}`,
    });
}

/** Says on a binding and its template that it should leave clusters and stays, since nothing would replace it. */
export function announceStranding(events: EventRecorder, binding: Binding, verdict: FailoverVerdict): void {
  if (verdict.kind !== "stranded") return;
  for (const { fromCluster, message = "" } of verdict.tasks)
    tellBoth(events, binding, {
      type: "Warning",
      reason: bindingEvents.evict.failed,
      message: `Evict from cluster ${fromCluster} failed. It stays there although ${message}: ${verdict.why}`,
    });
}

/** Tells the same on a binding and on the template behind it. */
export function tellBoth(events: EventRecorder, binding: Binding, text: EventText): void {
  const { apiVersion, kind, namespace, name, uid = "" } = binding.spec.resource;
  events.record(binding, text);
  const metadata = { name, uid, ...(namespace !== undefined && namespace !== "" && { namespace }) };
  events.record({ apiVersion, kind, metadata: metadata as Binding["metadata"] }, text); // all that an event names
}
