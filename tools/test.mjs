// `npm test`: installs what is missing, runs all tests, ends with one plain line of counts.
// Where only tests that measure failed, their files run once more, alone: CONTRIBUTING.md says why.
// Arguments go to vitest: `npm test -- src/storage` runs one folder, `npm test -- -t "name"` one test.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
installPackages(root);
installPackages(join(root, "test", "clients"));
const scratch = mkdtempSync(join(tmpdir(), "flotilla-test-"));
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");

/** Tests of processes, sockets and time: what else the machine does can spoil them. All others give the same answer every time. */
const measuring = /^test\/(apiserver|cli|client-node|docs|durability|kubectl|members|security)\//;

const first = run(process.argv.slice(2));
const again = first.failed.filter((file) => measuring.test(file));
const outcome = first.isWhole && again.length > 0 && again.length === first.failed.length ? second(again) : first;
rmSync(scratch, { recursive: true, force: true });
console.log(`${outcome.passed} passed, ${outcome.lost} failed`);
process.exit(outcome.status);

/** Tries files that failed once more, alone and one at a time. A test that fails twice has failed; one that does not is named. */
function second(files) {
  console.log(`\nonce more, alone: ${files.join(" ")}`);
  const later = run([...files, "--maxWorkers=1"]);
  if (later.status === 0) for (const name of first.lostNames) console.log(`unsteady: ${name}`);
  return { ...later, passed: first.passed + first.lost - later.lost };
}

function run(args) {
  const report = join(scratch, `report-${args.length}.json`);
  const { status } = spawnSync(
    process.execPath,
    [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
    { cwd: root, stdio: "inherit" },
  );
  const read = readReport(report);
  rmSync(report, { force: true }); // or a run that wrote none would be judged by the one before
  return { status: status ?? 1, ...read };
}

function readReport(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const failed = testResults.filter(({ status }) => status === "failed");
    // a file that does not load has no tests to count: it is one failure
    const broken = failed.filter(({ assertionResults }) => assertionResults.length === 0);
    return {
      passed: numPassedTests,
      lost: numFailedTests + broken.length,
      isWhole: broken.length === 0,
      failed: failed.map(({ name }) => relative(root, name)),
      lostNames: failed.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === "failed")
          .map(({ fullName }) => `${relative(root, name)} > ${fullName}`),
      ),
    };
  } catch {
    return { passed: 0, lost: 1, isWhole: false, failed: [], lostNames: [] };
  }
}
