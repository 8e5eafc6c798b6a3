// `npm run compare -- schemas|requests --seed 1 --count 2000 [--show 3] [--keep FILE]`: the same random questions to Kubernetes and to us;
// one line of figures for each area. `schemas` asks the apiextensions server's own code (a Go toolchain is needed), `requests` a real
// kube-apiserver (tools/kubernetes-binaries.mjs). `--keep` writes the answers as fixtures.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { installPackages } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "2000" },
    show: { type: "string", default: "3" },
    keep: { type: "string" },
  },
});
installPackages(root);
const { build } = await import("esbuild");
// inside the project, so that the bundle finds its packages
const scratch = join(root, "dist", `compare-${process.pid}`);
mkdirSync(scratch, { recursive: true });
try {
  const bundle = join(scratch, "main.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["test/compare/main.ts"],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: "inline",
    logLevel: "warning",
  });
  const program = await import(pathToFileURL(bundle).href);
  // npm runs scripts in the project's folder; INIT_CWD is where the user stands
  const keep = values.keep === undefined ? {} : { keep: resolve(process.env.INIT_CWD ?? process.cwd(), values.keep) };
  const options = { seed: Number(values.seed), count: Number(values.count), show: Number(values.show), ...keep };
  const [area] = positionals;
  if (area !== "schemas" && area !== "requests") throw new Error(`cannot compare ${area}: say schemas or requests`);
  const agree =
    area === "schemas"
      ? program.runSchemaComparison({ ...options, oracle: buildOracle() })
      : await program.runRequestComparison({ ...options, root });
  process.exitCode = agree ? 0 : 1;
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Builds aside: `go mod tidy` writes beside go.mod. */
function buildOracle() {
  const folder = join(scratch, "go");
  cpSync(join(root, "tools", "kubernetes-answers"), folder, { recursive: true });
  go(folder, ["mod", "tidy"]);
  go(folder, ["build", "-o", "oracle", "./schemas"]);
  return join(folder, "oracle");
}

function go(cwd, args) {
  const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "", GOWORK: "off" };
  const { status, error } = spawnSync("go", args, { cwd, env, stdio: ["ignore", 2, "inherit"] });
  if (status !== 0) throw error ?? new Error(`go ${args[0]} failed (see above)`);
}
