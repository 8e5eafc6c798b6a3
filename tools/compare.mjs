// `npm run compare -- schemas|requests --seed 1 --count 2000 [--show 3] [--keep FILE] [--areas apply,options]
// [--keep-rules FILE]`: the same random questions to Kubernetes and to us; one line of figures for each area. `schemas` asks the apiextensions server's own code (a Go toolchain is needed), `requests` a real
// kube-apiserver (tools/kubernetes-binaries.mjs). `--keep` writes the answers as fixtures,
// `--keep-rules` adds refusals that say something new to a file of them.
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fromWhereTheUserStands, root, runBundled } from "./bundled-program.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "2000" },
    show: { type: "string", default: "3" },
    keep: { type: "string" },
    areas: { type: "string", default: "" },
    "keep-rules": { type: "string" },
  },
});
await runBundled("compare", (program, scratch) => {
  const keep = values.keep === undefined ? {} : { keep: fromWhereTheUserStands(values.keep) };
  const options = { seed: Number(values.seed), count: Number(values.count), show: Number(values.show), ...keep };
  const [area] = positionals;
  if (area === "schemas") return program.runSchemaComparison({ ...options, oracle: buildOracle(scratch) });
  if (area === "requests") {
    const areas = values.areas.split(",").filter((name) => name !== "");
    const rules = values["keep-rules"];
    const keepRules = rules === undefined ? {} : { keepRules: fromWhereTheUserStands(rules) };
    return program.runRequestComparison({ ...options, root, areas, ...keepRules });
  }
  throw new Error(`cannot compare ${area}: say schemas or requests`);
});

/** Builds aside: `go mod tidy` writes beside go.mod. */
function buildOracle(scratch) {
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
