import { parseImageReference } from "#base/image-reference.ts";

/** Longer names are none for those who read them. */
const maxNameLength = 255;

/** The pull policy of an image whose user named none: images that may change are pulled always. */
export function defaultPullPolicy(image: string): "Always" | "IfNotPresent" {
  const reference = parseImageReference(image);
  if (reference === undefined || reference.name.length > maxNameLength) return "IfNotPresent";
  const { tag, digest } = reference;
  return tag === "latest" || (tag === undefined && digest === undefined) ? "Always" : "IfNotPresent";
}
