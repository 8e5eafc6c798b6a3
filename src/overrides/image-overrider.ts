import type { Manifest } from "#api/meta/manifest.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { isJsonObject, member } from "#base/json.ts";
import { type ImageParts, parseImageParts, printImageParts, withTagOrDigest } from "./image-parts.ts";
import { containersOf, OverrideFailure, patchedManifest } from "./patch-manifest.ts";

export type ImageOverrider = NonNullable<Overriders["imageOverrider"]>[number];

/** Changes one image, or those of all containers of a kind that we know; init containers stay as they are. */
export function overrideImages(manifest: Manifest, overrider: ImageOverrider): Manifest {
  if (overrider.predicate !== undefined) {
    const { path } = overrider.predicate;
    const image = imageAt(manifest, path);
    if (!path.startsWith("/")) throw new OverrideFailure(`image path ${path} does not start with /`);
    return patchedManifest(manifest, [{ op: "replace", path, value: changeImage(image, overrider) }]);
  }
  const containers = containersOf(manifest);
  if (containers === undefined) return manifest;
  const patch = containers.items.map((container, index) => {
    const image = member(container, "image") ?? "";
    if (typeof image !== "string") throw new OverrideFailure(`image of container ${index} is not a string`);
    return { op: "replace", path: `${containers.path}/${index}/image`, value: changeImage(image, overrider) };
  });
  return patchedManifest(manifest, patch);
}

function changeImage(image: string, { component, operator, value = "" }: ImageOverrider): string {
  const parts = parseImageParts(image);
  if (parts === undefined) throw new OverrideFailure(`${JSON.stringify(image)} is not an image reference`);
  const change: ((parts: ImageParts, edit: Edit) => ImageParts) | undefined = Object.hasOwn(changes, component)
    ? changes[component]
    : undefined;
  if (change === undefined) throw new OverrideFailure(`unsupported image component ${component}`);
  const edits: Readonly<Record<string, Edit>> = {
    add: (old) => old + value,
    replace: () => value,
    remove: () => undefined,
  };
  const edit = Object.hasOwn(edits, operator) ? edits[operator]! : (old: string) => old;
  return printImageParts(change(parts, edit));
}

/** The new text of a part; undefined takes the part away. */
type Edit = (old: string) => string | undefined;

const changes: Readonly<Record<string, (parts: ImageParts, edit: Edit) => ImageParts>> = {
  Registry: (parts, edit) => ({ ...parts, hostname: edit(parts.hostname) ?? "" }),
  Repository: (parts, edit) => ({ ...parts, repository: edit(parts.repository) ?? "" }),
  Tag: (parts, edit) => {
    const changed = edit(parts.tag === "" ? parts.digest : parts.tag);
    return changed === undefined ? { ...parts, tag: "", digest: "" } : withTagOrDigest(parts, changed);
  },
};

/** The string at a path. Its steps are taken as they stand, without escapes. */
function imageAt(manifest: Manifest, path: string): string {
  let value: unknown = manifest;
  for (const step of path.replace(/^\/+|\/+$/g, "").split("/")) {
    if (Array.isArray(value)) value = /^[-+]?[0-9]+$/.test(step) ? value[Number(step)] : undefined;
    else value = isJsonObject(value) ? member(value, step) : undefined;
  }
  if (typeof value !== "string") throw new OverrideFailure(`there is no image at ${path}`);
  return value;
}
