import type { Manifest } from "#api/meta/manifest.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { printGoJson } from "#base/go-json.ts";
import { isJsonObject, member } from "#base/json.ts";
import { JsonSyntaxError, parseJson } from "#base/parse-json.ts";
import { parseYaml, YamlSyntaxError } from "#base/parse-yaml.ts";
import { decodeKey, itemIndex } from "#base/patch/json-pointer.ts";
import { printYaml } from "#base/print-yaml.ts";
import { OverrideFailure, type PatchOperation, patched, patchedManifest } from "./patch-manifest.ts";

export type FieldOverrider = NonNullable<Overriders["fieldOverrider"]>[number];

/** Changes the JSON or YAML document that a string field holds, and writes it back; YAML loses its comments and key order. */
export function overrideField(manifest: Manifest, { fieldPath, json = [], yaml = [] }: FieldOverrider): Manifest {
  const text = textAt(manifest, fieldPath);
  const write = (value: string) => patchedManifest(manifest, [{ op: "replace", path: fieldPath, value }]);
  if (yaml.length > 0) {
    const document = patched(readDocument(text, parseYaml), operations(yaml));
    return write(printYaml(document, { sortKeys: true }));
  }
  // Karmada writes an empty text where neither is given; admission refuses that
  if (json.length === 0) return write("");
  if (text === "") return manifest;
  return write(printGoJson(patched(readDocument(text, parseJson), operations(json))));
}

function readDocument(text: string, parse: (text: string) => { readonly value: unknown }): object {
  try {
    const { value } = parse(text);
    if (isJsonObject(value) || Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof YamlSyntaxError)) throw error;
    throw new OverrideFailure(`the field's text cannot be read: ${error.message}`);
  }
  throw new OverrideFailure("the field's text is neither an object nor a list");
}

function operations(patches: NonNullable<FieldOverrider["json"]>): readonly PatchOperation[] {
  return patches.map(({ operator, subPath, value }) => ({ op: operator, path: subPath, value: value ?? null }));
}

function textAt(manifest: Manifest, path: string): string {
  if (path !== "" && !path.startsWith("/")) throw new OverrideFailure(`field path ${path} does not start with /`);
  let value: unknown = manifest;
  for (const step of path.split("/").slice(1).map(decodeKey)) {
    if (Array.isArray(value)) value = value[itemIndex(value, step) ?? -1];
    else value = isJsonObject(value) ? member(value, step) : undefined;
  }
  if (typeof value !== "string") throw new OverrideFailure(`${path} is not a string`);
  return value;
}
