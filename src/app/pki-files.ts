import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterPki } from "./certificates.ts";

/**
 * The cluster's keys from its directory, made at the first start. The file appears whole or not at all (written beside, then renamed),
 * readable by its owner alone.
 */
export async function loadOrCreatePki(directory: string, make: () => Promise<ClusterPki>): Promise<ClusterPki> {
  const file = join(directory, "pki.json");
  if (existsSync(file)) return readPki(file);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const pki = await make();
  const partial = `${file}.partial`;
  writeFileSync(partial, JSON.stringify(pki, null, 2), { mode: 0o600 });
  renameSync(partial, file);
  return pki;
}

function readPki(file: string): ClusterPki {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as ClusterPki; // our own file
  } catch (error: unknown) {
    throw new Error(`cannot read ${file}: it is damaged; remove it to have new certificates made`, { cause: error });
  }
}
