// `npm test`: installs what is missing, runs all tests but those on a real API server, ends with one plain line of counts.
// Arguments go to vitest: `npm test -- src/storage` runs one folder, `npm test -- -t "name"` one test.
import { fileURLToPath } from "node:url";
import { finish, runSuite } from "./run-suite.mjs";

export function runTests(args) {
  const measuring = /^test\/(apiserver|cli|client-node|docs|durability|kubectl|members|security)\//;
  return runSuite({ args, measuring });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) finish([runTests(process.argv.slice(2))]);
