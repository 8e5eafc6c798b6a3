// `npm run test:vectors [-- folder]`: runs the recorded vectors of a folder (default: the committed ones) against our
// functions. One line for each file, a last line of counts; differences that a ruling makes are named, not counted.
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installPackages } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
installPackages(root);
const { build } = await import("esbuild");
// inside the project, so that the bundle finds its packages
const scratch = join(root, "dist", `vectors-${process.pid}`);
mkdirSync(scratch, { recursive: true });
const bundle = join(scratch, "main.mjs");
await build({
  absWorkingDir: root,
  entryPoints: ["test/vectors/main.ts"],
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
});
try {
  const { reportFolder } = await import(pathToFileURL(bundle).href);
  const folder = process.argv[2];
  // npm runs scripts in the project's folder; INIT_CWD is where the user stands
  const from = process.env.INIT_CWD ?? process.cwd();
  const chosen = folder === undefined ? join(root, "test", "vectors", "fixtures") : resolve(from, folder);
  process.exitCode = (await reportFolder(chosen)) ? 0 : 1;
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
