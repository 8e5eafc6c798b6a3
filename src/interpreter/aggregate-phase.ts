import type { JsonObject } from "#base/json.ts";
import { type AggregateStatus, collected, kept, worstPhase } from "./aggregate-status.ts";
import { objectAt, objectsAt, pick, textAt } from "./fields.ts";

const podPhase = worstPhase(["Failed", "Pending", "Running", "Succeeded"]);
const volumePhase = worstPhase(["Failed", "Pending", "Available", "Bound", "Released"]);

/** The worst phase of a pod's copies, and the state of all their containers. */
export const aggregatePod: AggregateStatus = (object, { items }) => {
  const phase = podPhase(items);
  const lists = ["initContainerStatuses", "containerStatuses"].flatMap((field) => {
    const containers = collected(items).flatMap(({ status }) => objectsAt(status, field));
    return containers.length === 0 ? [] : [[field, containers.map(containerState)] as const];
  });
  const own = pick(objectAt(object, "status"), ["qosClass"]); // of the template itself; it cannot be taken away
  return { ...(phase !== undefined && { phase }), ...Object.fromEntries(lists), ...own };
};

/** Containers of many clusters have only their state in common; Kubernetes asks for the other fields. */
function containerState(container: JsonObject): JsonObject {
  const ready = container["ready"] ?? false;
  const state = container["state"] ?? {};
  return { name: "", image: "", imageID: "", restartCount: 0, lastState: {}, ready, state };
}

/** The worst phase of a volume's copies. */
export const aggregateVolume: AggregateStatus = (object, { items }) => {
  const phase = volumePhase(items);
  if (phase === undefined && kept(object) === undefined) return undefined;
  return phase === undefined ? {} : { phase };
};

/** Lost if one copy is, otherwise the last phase that is not Bound, otherwise Bound. */
export const aggregateClaim: AggregateStatus = (_object, { items }) => {
  const phases = collected(items).map(({ status }) => textAt(status, "phase"));
  const phase = phases.includes("Lost") ? "Lost" : (phases.findLast((each) => each !== "Bound") ?? "Bound");
  return phase === "" ? {} : pick({ phase }, ["phase"]);
};
