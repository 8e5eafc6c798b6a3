import type { Manifest } from "#api/meta/manifest.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { cloneJson, isJsonObject, member, setMember } from "#base/json.ts";
import { OverrideFailure } from "./patch-manifest.ts";

export type MapOverrider = NonNullable<Overriders["labelsOverrider"]>[number];

export interface MapChange {
  readonly field: "labels" | "annotations";
  readonly overrider: MapOverrider;
}

const operators: ReadonlySet<string> = new Set(["add", "remove", "replace"]);

/** Changes labels or annotations of the object itself: add sets, replace and remove touch only what is there. */
export function overrideMap(manifest: Manifest, { field, overrider }: MapChange): Manifest {
  const { operator } = overrider;
  const entries = Object.entries(overrider.value ?? {});
  const old: unknown = manifest.metadata[field];
  if (entries.length === 0) return manifest;
  if (!operators.has(operator)) throw new OverrideFailure(`unsupported operator ${operator}`);
  if (operator !== "add" && !isJsonObject(old)) return manifest;
  const map: object = isJsonObject(old) ? cloneJson(old) : {};
  for (const [key, value] of entries) {
    const exists = member(map, key) !== undefined;
    if (operator === "remove" && exists) Reflect.deleteProperty(map, key);
    else if (operator === "add" || (operator === "replace" && exists)) setMember(map, key, value);
  }
  return { ...manifest, metadata: { ...manifest.metadata, [field]: map } };
}
