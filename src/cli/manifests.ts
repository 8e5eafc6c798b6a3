import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readBoundedFile, readBoundedStream } from "#app/bounded-text.ts";
import { HintedError } from "#base/hinted-error.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import { parseYamlDocuments, YamlSyntaxError } from "#base/parse-yaml.ts";

/** An object as somebody wrote it down. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

const maxBytes = 16 * 1024 * 1024;

/** The objects in files, in all manifests of folders, and on standard input (`-`). Lists are taken apart. */
export async function readManifests(names: readonly string[]): Promise<readonly Manifest[]> {
  const found: Manifest[] = [];
  for (const file of names.flatMap(filesOf)) {
    const isInput = file === "-";
    const name = isInput ? "standard input" : file;
    const content = isInput
      ? await readBoundedStream(process.stdin, { name, maxBytes })
      : readBoundedFile(file, maxBytes);
    if (content === undefined) throw new HintedError(`cannot find ${name}`, "give files, folders or - to -f");
    found.push(...manifestsIn(content, name));
  }
  return found;
}

/** The objects in one text of YAML or JSON; anything else is refused by its place. */
export function manifestsIn(content: string, name: string): readonly Manifest[] {
  try {
    return parseYamlDocuments(content).flatMap(({ value }, at) =>
      value === null ? [] : objectsIn(value, `${name}, document ${at + 1}`),
    );
  } catch (error: unknown) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw new HintedError(`cannot read ${name}: ${error.message}`, "manifests are YAML or JSON");
  }
}

function objectsIn(value: unknown, where: string): readonly Manifest[] {
  if (!isJsonObject(value)) throw noObject(where);
  const { items } = value;
  if (typeof value["kind"] === "string" && value["kind"].endsWith("List") && Array.isArray(items))
    return items.flatMap((item, at) => objectsIn(item, `${where}, item ${at + 1}`));
  const { apiVersion, kind, metadata } = value;
  const name = isJsonObject(metadata) ? (metadata as JsonObject)["name"] : undefined;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || typeof name !== "string") throw noObject(where);
  return [value as unknown as Manifest]; // as was just seen
}

function noObject(where: string): HintedError {
  return new HintedError(`cannot read ${where}: it is no object`, "an object has apiVersion, kind and metadata.name");
}

function filesOf(name: string): readonly string[] {
  if (name === "-") return [name];
  if (!lstatSync(name, { throwIfNoEntry: false })?.isDirectory()) return [name];
  return readdirSync(name)
    .filter((each) => /\.(ya?ml|json)$/.test(each))
    .toSorted()
    .map((each) => join(name, each));
}
