// `npm run check`: the static checks, each on its line: format and lint, types (with and without a platform), dead code, copied code.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installPackages } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
installPackages(root);
installPackages(`${root}/test/clients`); // the types of the foreign client

const checks = [
  ["format and lint", "biome", ["check", "--error-on-warnings", "."]],
  ["types", "tsc", ["-p", "tsconfig.json"]],
  ["types without a platform", "tsc", ["-p", "tsconfig.pure.json"]],
  ["dead code", "knip", ["--no-progress"]],
  ["copied code", "jscpd", ["--config", ".jscpd.json", "src"]],
];

let failed = 0;
for (const [name, tool, args] of checks) {
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${tool}`, args, { cwd: root, encoding: "utf8" });
  console.log(`${status === 0 ? "ok    " : "failed"} ${name}`);
  if (status === 0) continue;
  failed++;
  console.log(stdout + stderr);
}
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
