import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Programs of this folder and the store's worker, bundled into a directory of their own so that no other build disturbs them. */
export interface StorePrograms {
  readonly directory: string;
  readonly worker: URL;
  program(name: string): string;
  remove(): void;
}

export async function buildStorePrograms(...names: readonly string[]): Promise<StorePrograms> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-durability-"));
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  const own = names.map((name) => [name, join(root, "test/durability", `${name}.ts`)]);
  await build({
    absWorkingDir: root,
    entryPoints: { ...Object.fromEntries(own), "sqlite-worker": join(root, "src/storage/sqlite-worker.ts") },
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  return {
    directory,
    worker: pathToFileURL(join(directory, "sqlite-worker.mjs")),
    program: (name) => join(directory, `${name}.mjs`),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
