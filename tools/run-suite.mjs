// Runs vitest and counts. Where only tests that measure failed, their files run once more, alone: CONTRIBUTING.md says why.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** `measuring`: which files test processes, sockets and time, so that what else the machine does can spoil them. All others give the same answer every time. */
export function runSuite({ args, measuring }) {
  installPackages(root);
  installPackages(join(root, "test", "clients"));
  const scratch = mkdtempSync(join(tmpdir(), "flotilla-test-"));
  try {
    const first = run(args, scratch);
    const again = first.failed.filter((file) => measuring.test(file));
    const isWorthIt = first.isWhole && again.length > 0 && again.length === first.failed.length;
    return isWorthIt ? second({ first, files: again, args, scratch }) : first;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Prints the one plain line that ends every run, and ends the process. */
export function finish(outcomes) {
  const sum = (field) => outcomes.reduce((total, outcome) => total + outcome[field], 0);
  console.log(`${sum("passed")} passed, ${sum("lost")} failed`);
  process.exit(outcomes.every(({ status }) => status === 0) ? 0 : 1);
}

/** Tries files that failed once more, alone and one at a time. A test that fails twice has failed; one that does not is named. */
function second({ first, files, args, scratch }) {
  console.log(`\nonce more, alone: ${files.join(" ")}`);
  const later = run([...args.filter((arg) => arg.startsWith("-")), ...files, "--maxWorkers=1"], scratch);
  if (later.status === 0) for (const name of first.lostNames) console.log(`unsteady: ${name}`);
  return { ...later, passed: first.passed + first.lost - later.lost };
}

function run(args, scratch) {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const report = join(scratch, "report.json");
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
