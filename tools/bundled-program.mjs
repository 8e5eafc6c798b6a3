// Programs of test/ that tools run: bundled, imported, and cleared away whatever happens. What they throw is printed and ends with 1.
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installPackages } from "./install.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** npm runs scripts in the project's folder; INIT_CWD is where the user stands. */
export function fromWhereTheUserStands(path) {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

/** `use` gets the program and a folder of its own, and says whether all was well. */
export async function runBundled(name, use) {
  installPackages(root);
  const { build } = await import("esbuild");
  const scratch = join(root, "dist", `${name}-${process.pid}`); // inside the project, so that the bundle finds its packages
  mkdirSync(scratch, { recursive: true });
  try {
    const bundle = join(scratch, "main.mjs");
    await build({
      absWorkingDir: root,
      entryPoints: [`test/${name}/main.ts`],
      outfile: bundle,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      packages: "external",
      sourcemap: "inline",
      logLevel: "warning",
    });
    process.exitCode = (await use(await import(pathToFileURL(bundle).href), scratch)) ? 0 : 1;
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
