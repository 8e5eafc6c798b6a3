import { parseImageReference } from "#base/image-reference.ts";

/** The pull policy of an image whose user named none: images that may change are pulled always. */
export function defaultPullPolicy(image: string): "Always" | "IfNotPresent" {
  const reference = parseImageReference(image);
  if (reference === undefined) return "IfNotPresent";
  const { tag, digest } = reference;
  return tag === "latest" || (tag === undefined && digest === undefined) ? "Always" : "IfNotPresent";
}
