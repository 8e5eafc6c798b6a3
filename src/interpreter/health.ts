import type { Manifest } from "#api/meta/manifest.ts";
import { countAt, integerAt, objectsAt, textAt } from "./fields.ts";

export type ReadHealth = (object: Manifest) => boolean;

/** Whether a member's controllers have seen the last change. */
function isObserved(object: Manifest): boolean {
  return countAt(object, "status.observedGeneration") === countAt(object, "metadata.generation");
}

/** All replicas are of the last version, and available. */
export function deploymentHealth(object: Manifest): boolean {
  const updated = countAt(object, "status.updatedReplicas");
  const wanted = integerAt(object, "spec.replicas") ?? updated;
  return isObserved(object) && updated >= wanted && countAt(object, "status.availableReplicas") >= updated;
}

/** As many replicas as wanted are available. */
export function replicaSetHealth(object: Manifest): boolean {
  const available = countAt(object, "status.availableReplicas");
  return isObserved(object) && available >= (integerAt(object, "spec.replicas") ?? available);
}

/** Every node that should has a pod of the last version, and it is available. */
export function daemonSetHealth(object: Manifest): boolean {
  const updated = countAt(object, "status.updatedNumberScheduled");
  const wanted = countAt(object, "status.desiredNumberScheduled");
  return isObserved(object) && updated >= wanted && countAt(object, "status.numberAvailable") >= updated;
}

/** Only a load balancer has to wait, for its address. */
export function serviceHealth(object: Manifest): boolean {
  return textAt(object, "spec.type") !== "LoadBalancer" || hasAddress(object);
}

/** Whether some load balancer has an address. */
export function hasAddress(object: Manifest): boolean {
  return objectsAt(object, "status.loadBalancer.ingress").some(
    (ingress) => textAt(ingress, "hostname") !== "" || textAt(ingress, "ip") !== "",
  );
}

/** A claim is well when it is bound. */
export function claimHealth(object: Manifest): boolean {
  return textAt(object, "status.phase") === "Bound";
}

/** A pod is well when it has done its work, or is ready. */
export function podHealth(object: Manifest): boolean {
  const phase = textAt(object, "status.phase");
  if (phase === "Succeeded") return true;
  const ready = objectsAt(object, "status.conditions").find((condition) => textAt(condition, "type") === "Ready");
  return phase === "Running" && ready !== undefined && textAt(ready, "status") === "True";
}

/** As many pods are healthy as the budget asks for. */
export function disruptionBudgetHealth(object: Manifest): boolean {
  return countAt(object, "status.currentHealthy") >= countAt(object, "status.desiredHealthy");
}
