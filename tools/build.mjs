// Bundles the program and its worker threads into dist/. Quick enough (0.3 s) to run before every start and test.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { loweredSpreads, withCheapSpreads } from "./cheap-spreads.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** `more`: programs by the names that they get in dist/. */
export async function buildDist({ bench = false, more = {} } = {}) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      flotilla: "src/cli/main.ts",
      "workers/certificate-maker": "src/app/webhook/certificate-maker.ts",
      "workers/lua-worker": "src/lua/lua-worker.ts",
      "workers/sqlite-worker": "src/storage/sqlite-worker.ts",
      ...more,
      ...(bench && {
        bench: "bench/main.ts",
        "bench-fill": "bench/fill.ts",
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
    supported: loweredSpreads,
    logLevel: "warning",
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith(".js") ? withCheapSpreads(text) : text);
  }
  chmodSync(`${root}/dist/flotilla.js`, 0o755); // run by its name, or by kubectl as a plugin
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDist();
