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

/** Annotations with what another object's say of the release, and without what they do not say. */
export function withRelease(
  annotations: Readonly<Record<string, string>>,
  { annotations: told = {} }: Pick<ObjectMeta, "annotations">,
): Record<string, string> {
  const { [releasedClustersAnnotation]: _, ...others } = annotations;
  const released = told[releasedClustersAnnotation];
  return released === undefined ? others : { ...others, [releasedClustersAnnotation]: released };
}
