import type { ObjectMeta } from "#api/meta/object-meta.ts";
import { releasedClustersAnnotation } from "./template-keys.ts";

/** The clusters on which a template's changes are released, sorted as written; undefined where nothing is held back. */
export function releasedClusters({ annotations }: Pick<ObjectMeta, "annotations">): readonly string[] | undefined {
  return annotations?.[releasedClustersAnnotation]
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Whether a cluster's copy of a template stays as it is, because the change is released elsewhere first. */
export function isHeldBack(metadata: Pick<ObjectMeta, "annotations">, cluster: string): boolean {
  const released = releasedClusters(metadata);
  return released !== undefined && !released.includes(cluster);
}
