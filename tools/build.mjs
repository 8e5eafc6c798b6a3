// Bundles the program and its worker threads into dist/. Quick enough (0.3 s) to run before every start and test.
import { chmodSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** `more`: programs by the names that they get in dist/. */
export async function buildDist({ bench = false, more = {} } = {}) {
  await build({
    absWorkingDir: root,
    entryPoints: {
      flotilla: "src/cli/main.ts",
      "workers/lua-worker": "src/lua/lua-worker.ts",
      "workers/sqlite-worker": "src/storage/sqlite-worker.ts",
      ...more,
      ...(bench && {
        bench: "bench/main.ts",
        "bench-fleet": "bench/fleet-process.ts",
        "bench-profile": "bench/profile-on-signal.ts",
        "bench-reopen": "bench/reopen.ts",
      }),
    },
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: "linked",
    logLevel: "warning",
  });
  chmodSync(`${root}/dist/flotilla.js`, 0o755); // run by its name, or by kubectl as a plugin
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDist();
