import type { Manifest } from "#api/meta/manifest.ts";
import { retainReplicasLabel } from "#api/work/template-keys.ts";
import { isJsonObject, type JsonObject, jsonEquals } from "#base/json.ts";
import { integerAt, listAt, objectsAt, textAt, textMapAt, valueAt, withValueAt } from "./fields.ts";
import { Malformed } from "./interpretation.ts";

/** What the member shall have, with what the member itself has decided taken over. */
export type RetainFields = (desired: Manifest, observed: Manifest) => Manifest;

/** The number of replicas, where the user left it to the member. */
export function retainReplicas(desired: Manifest, observed: Manifest): Manifest {
  if (desired.metadata.labels?.[retainReplicasLabel] !== "true") return desired;
  const replicas = integerAt(observed, "spec.replicas");
  if (replicas === undefined) throw new Malformed("the member's object has no spec.replicas");
  return withValueAt(desired, { path: "spec.replicas", value: replicas });
}

/** Where a pod runs, as whom, and what was mounted into it. */
export function retainPod(desired: Manifest, observed: Manifest): Manifest {
  let result = desired;
  for (const field of ["spec.nodeName", "spec.serviceAccountName", "spec.volumes"]) {
    const value = valueAt(observed, field);
    if (value !== undefined || valueAt(result, field) !== undefined)
      result = withValueAt(result, { path: field, value: value });
  }
  for (const field of ["spec.containers", "spec.initContainers"]) {
    const containers = objectsAt(result, field);
    if (containers.length > 0)
      result = withValueAt(result, { path: field, value: mountedAs(containers, objectsAt(observed, field)) });
  }
  return result;
}

/** The addresses and ports that a service was given. */
export function retainService(desired: Manifest, observed: Manifest): Manifest {
  const port = integerAt(observed, "spec.healthCheckNodePort") ?? 0;
  const address = textAt(observed, "spec.clusterIP");
  const withPort = port > 0 ? withValueAt(desired, { path: "spec.healthCheckNodePort", value: port }) : desired;
  return address === "" ? withPort : withValueAt(withPort, { path: "spec.clusterIP", value: address });
}

/** The secrets that the member added. */
export function retainServiceAccount(desired: Manifest, observed: Manifest): Manifest {
  let result = desired;
  for (const field of ["secrets", "imagePullSecrets"]) {
    const own = listAt(desired, field);
    const added = listAt(observed, field).filter((item) => !own.some((each) => isSameReference(each, item)));
    if (added.length > 0) result = withValueAt(result, { path: field, value: [...own, ...added] });
  }
  return result;
}

/** The volume that a claim was bound to. */
export function retainClaim(desired: Manifest, observed: Manifest): Manifest {
  const volume = textAt(observed, "spec.volumeName");
  return volume === "" ? desired : withValueAt(desired, { path: "spec.volumeName", value: volume });
}

/** The claim that a volume was bound to. */
export function retainVolume(desired: Manifest, observed: Manifest): Manifest {
  const claim = valueAt(observed, "spec.claimRef");
  return claim === undefined ? desired : withValueAt(desired, { path: "spec.claimRef", value: claim });
}

/** The selector and labels that a job was given. */
export function retainJob(desired: Manifest, observed: Manifest): Manifest {
  let result = desired;
  for (const field of ["spec.selector.matchLabels", "spec.template.metadata.labels"]) {
    const labels = textMapAt(observed, field);
    if (labels !== undefined) result = withValueAt(result, { path: field, value: labels });
  }
  return result;
}

/** The token that a member made for a service account. */
export function retainSecret(desired: Manifest, observed: Manifest): Manifest {
  if (textAt(desired, "type") !== "kubernetes.io/service-account-token") return desired;
  const data = textMapAt(observed, "data");
  return data === undefined ? desired : withValueAt(desired, { path: "data", value: data });
}

function mountedAs(containers: readonly JsonObject[], observed: readonly JsonObject[]): readonly JsonObject[] {
  return containers.map((container) => {
    const twin = observed.find((each) => textAt(each, "name") === textAt(container, "name"));
    if (twin === undefined || valueAt(twin, "volumeMounts") === valueAt(container, "volumeMounts")) return container;
    return withValueAt(container, { path: "volumeMounts", value: valueAt(twin, "volumeMounts") });
  });
}

function isSameReference(a: unknown, b: unknown): boolean {
  return isJsonObject(a) && isJsonObject(b) && a["name"] === b["name"] ? true : jsonEquals(a, b);
}
