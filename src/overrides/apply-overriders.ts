import type { Manifest } from "#api/meta/manifest.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { overrideField } from "./field-overrider.ts";
import { overrideImages } from "./image-overrider.ts";
import { overrideList } from "./list-overrider.ts";
import { overrideMap } from "./map-overrider.ts";
import { patchedManifest } from "./patch-manifest.ts";

/** The manifest after one rule: images, commands, arguments, labels, annotations, fields and plain text, in this order. */
export function applyOverriders(manifest: Manifest, overriders: Overriders): Manifest {
  let result = manifest;
  for (const overrider of overriders.imageOverrider ?? []) result = overrideImages(result, overrider);
  for (const overrider of overriders.commandOverrider ?? [])
    result = overrideList(result, { field: "command", overrider });
  for (const overrider of overriders.argsOverrider ?? []) result = overrideList(result, { field: "args", overrider });
  for (const overrider of overriders.labelsOverrider ?? [])
    result = overrideMap(result, { field: "labels", overrider });
  for (const overrider of overriders.annotationsOverrider ?? []) {
    result = overrideMap(result, { field: "annotations", overrider });
  }
  for (const overrider of overriders.fieldOverrider ?? []) result = overrideField(result, overrider);
  const patch = (overriders.plaintext ?? []).map(({ operator, path, value }) => ({
    op: operator,
    path,
    value: value ?? null,
  }));
  return patchedManifest(result, patch);
}
