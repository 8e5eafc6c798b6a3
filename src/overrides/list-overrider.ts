import type { Manifest } from "#api/meta/manifest.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { member } from "#base/json.ts";
import { containersOf, OverrideFailure, patchedManifest } from "./patch-manifest.ts";

export type ListOverrider = NonNullable<Overriders["commandOverrider"]>[number];

/** Appends to or takes from the command or the arguments of the containers of that name; a missing list is made. */
export function overrideList(manifest: Manifest, { field, overrider }: ListChange): Manifest {
  const containers = containersOf(manifest);
  if (containers === undefined) return manifest;
  const patch = containers.items.flatMap((container, index) => {
    if (member(container, "name") !== overrider.containerName) return [];
    const old = member(container, field) ?? undefined;
    if (old !== undefined && !Array.isArray(old))
      throw new OverrideFailure(`${field} of container ${index} is not a list`);
    const op = old === undefined ? "add" : "replace";
    return [{ op, path: `${containers.path}/${index}/${field}`, value: changeList(old ?? [], overrider) }];
  });
  return patchedManifest(manifest, patch);
}

export interface ListChange {
  readonly field: "command" | "args";
  readonly overrider: ListOverrider;
}

function changeList(old: readonly unknown[], { operator, value = [] }: ListOverrider): readonly unknown[] {
  if (operator === "add") return [...old, ...value];
  if (operator === "remove") return old.filter((item) => typeof item !== "string" || !value.includes(item));
  return old;
}
