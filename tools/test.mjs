// `npm test`: installs what is missing, runs all tests but those on a real API server, ends with one plain line of counts.
// FLOTILLA_REAL=required runs those, too, and a skip is a failure: so does .ci/run.
// Arguments go to vitest: `npm test -- src/storage` runs one folder, `npm test -- -t "name"` one test.
import { worldFolders } from "./native-modules.mjs";
import { finish, runSuite } from "./run-suite.mjs";
import { runRealTests } from "./test-real.mjs";

const measuring = /^test\/(apiserver|cli|client-node|docs|durability|kubectl|members|security)\//;
// Worlds take all of a processor, the others wait for half of their time: side by side, and worlds give way.
const parts = [
  { args: worldFolders.map((folder) => `${folder}/`), givesWay: true },
  { args: worldFolders.map((folder) => `--exclude=${folder}/**`) },
];
const args = process.argv.slice(2);
const outcomes = [await runSuite({ args, measuring, ...(args.length === 0 && { parts }) })];
if (process.env.FLOTILLA_REAL === "required") outcomes.push(await runRealTests(args, { mayBeSkipped: false }));
finish(outcomes);
