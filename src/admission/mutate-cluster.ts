import type { Draft, Fields } from "#api/meta/object-meta.ts";
import { isUnset, objectIn, objectsIn } from "./raw-fields.ts";
import { defaultResourceModels, standardizeResourceModels } from "./resource-models.ts";

/**
 * Completes a cluster in place: the deprecated zone moves into zones, taints that drive out say since when, and with
 * `resourceModeling` grades of nodes are there and in order.
 */
export function mutateCluster(
  cluster: Draft,
  {
    created,
    now,
    resourceModeling,
  }: { readonly created: boolean; readonly now: string; readonly resourceModeling: boolean },
): void {
  const spec: Fields | undefined = objectIn(cluster, "spec");
  if (spec === undefined) return;
  moveZone(spec);
  for (const taint of objectsIn(spec, "taints")) {
    if (taint["effect"] === "NoExecute" && isUnset(taint["timeAdded"])) taint["timeAdded"] = now;
  }
  if (!resourceModeling) return;
  if (objectsIn(spec, "resourceModels").length > 0)
    spec["resourceModels"] = standardizeResourceModels(spec["resourceModels"]);
  else if (created && (isUnset(spec["resourceModels"]) || Array.isArray(spec["resourceModels"])))
    spec["resourceModels"] = defaultResourceModels();
}

function moveZone(spec: Fields): void {
  if (typeof spec["zone"] !== "string" || spec["zone"] === "") return;
  if (Array.isArray(spec["zones"]) && spec["zones"].length > 0) return; // validation refuses both
  spec["zones"] = [spec["zone"]];
  delete spec["zone"];
}
