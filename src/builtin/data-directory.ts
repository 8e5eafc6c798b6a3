import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of the generated data files. It is looked for upwards from this file because the bundle lies elsewhere
 * than the source.
 */
export function findDataDirectory(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(folder, "data", "kubernetes");
    if (existsSync(join(candidate, "resources.json"))) return candidate;
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error("cannot find data/kubernetes: it is part of the package and must lie beside it");
    folder = parent;
  }
}
