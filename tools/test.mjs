// `npm test`: installs what is missing, runs all tests, ends with one plain line of counts.
// Arguments go to vitest: `npm test -- src/storage` runs one folder, `npm test -- -t "name"` one test.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
installPackages(root);
installPackages(join(root, "test", "clients"));
const scratch = mkdtempSync(join(tmpdir(), "flotilla-test-"));
const report = join(scratch, "report.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit" },
);
const { passed, failed } = readCounts();
rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(status ?? 1);

function readCounts() {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    // a file that does not load has no tests to count: it is one failure
    const broken = testResults.filter(
      ({ status: each, assertionResults }) => each === "failed" && assertionResults.length === 0,
    );
    return { passed: numPassedTests, failed: numFailedTests + broken.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
