import type { Manifest } from "#api/meta/manifest.ts";
import { isJsonObject, member } from "#base/json.ts";
import { type PatchDialect, patchJson } from "#base/patch/json-patch.ts";

/** Raised where an overrider does not fit the manifest; never leaves this folder. */
export class OverrideFailure extends Error {}

/** The version of JSON Patch that overriders are written for. */
const dialect: PatchDialect = "karmada";

/** One operation of a JSON patch; without a value it sets null. */
export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** The document after the operations, which apply in turn and all or none. */
export function patched(document: object, patch: readonly PatchOperation[]): unknown {
  if (patch.length === 0) return document;
  const result = patchJson(document, { patch, dialect });
  if (!result.ok) throw new OverrideFailure(result.message);
  return result.value;
}

/** The manifest after the operations. */
export function patchedManifest(manifest: Manifest, patch: readonly PatchOperation[]): Manifest {
  const result = patched(manifest, patch);
  if (!isManifest(result)) throw new OverrideFailure("the result is no object with apiVersion, kind and metadata");
  return result;
}

/** The containers of a manifest with a pod spec, and where they are; undefined for kinds that have none that we know. */
export function containersOf(
  manifest: Manifest,
): { readonly path: string; readonly items: readonly object[] } | undefined {
  const steps = containerPaths.get(manifest.kind);
  if (steps === undefined) return undefined;
  let value: unknown = manifest;
  for (const step of steps) value = isJsonObject(value) ? member(value, step) : undefined;
  const path = `/${steps.join("/")}`;
  if (value === undefined || value === null) return { path, items: [] };
  if (!Array.isArray(value) || !value.every(isJsonObject))
    throw new OverrideFailure(`${path} is not a list of objects`);
  return { path, items: value };
}

const inTemplate = ["spec", "template", "spec", "containers"];
/** By kind alone, whatever the group. */
const containerPaths: ReadonlyMap<string, readonly string[]> = new Map([
  ["Pod", ["spec", "containers"]],
  ...["ReplicaSet", "Deployment", "DaemonSet", "StatefulSet", "Job"].map((kind) => [kind, inTemplate] as const),
]);

function isManifest(value: unknown): value is Manifest {
  if (!isJsonObject(value)) return false;
  const { kind, metadata } = value;
  return typeof kind === "string" && kind !== "" && isJsonObject(metadata);
}
