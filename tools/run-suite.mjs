// Runs vitest and counts. Where only tests that measure failed, their files run once more, alone: CONTRIBUTING.md says why.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./install.mjs";
import { nativeModules } from "./native-modules.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * `measuring`: which files test processes, sockets and time, so that what else the machine does can spoil them. All others give the same answer every time.
 * `parts`: what runs side by side, each with more arguments for vitest; one that `givesWay` has what the others leave of the processors.
 */
export async function runSuite({ args, measuring, parts = [{ args: [] }] }) {
  installPackages(root);
  installPackages(join(root, "test", "clients"));
  const { buildDist } = await import("./build.mjs"); // not before its packages are there
  await buildDist({ more: nativeModules() });
  const scratch = mkdtempSync(join(tmpdir(), "flotilla-test-"));
  try {
    const runs = parts.map((part, index) => run({ ...part, args: [...args, ...part.args], index, scratch }));
    const all = await Promise.all(runs);
    for (const { said } of all) process.stdout.write(said);
    const first = joined(all);
    const again = first.failed.filter((file) => measuring.test(file));
    const isWorthIt = first.isWhole && again.length > 0 && again.length === first.failed.length;
    return isWorthIt ? await second({ first, files: again, args, scratch }) : first;
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
async function second({ first, files, args, scratch }) {
  console.log(`\nonce more, alone: ${files.join(" ")}`);
  const alone = [...args.filter((arg) => arg.startsWith("-")), ...files, "--maxWorkers=1"];
  const later = await run({ args: alone, index: 0, scratch });
  if (later.status === 0) for (const name of first.lostNames) console.log(`unsteady: ${name}`);
  return { ...later, passed: first.passed + first.lost - later.lost };
}

/** The first of several is watched as it runs; what the others say is shown when all have ended. */
async function run({ args, givesWay = false, index, scratch }) {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const report = join(scratch, `report-${index}.json`);
  const child = spawn(
    process.execPath,
    [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
    {
      cwd: root,
      stdio: index === 0 ? "inherit" : ["ignore", "pipe", "pipe"],
      env: { ...process.env, FLOTILLA_BUILT: "1" },
    },
  );
  if (givesWay && child.pid !== undefined) setPriority(child.pid, 5); // a third of the others' weight; its workers inherit it
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk));
  const status = await new Promise((resolve) => child.on("close", resolve));
  const read = readReport(report);
  rmSync(report, { force: true }); // or a run that wrote none would be judged by the one before
  return { status: status ?? 1, said: Buffer.concat(said), ...read };
}

/** Several runs as one. */
function joined(runs) {
  const sum = (field) => runs.reduce((total, each) => total + each[field], 0);
  return {
    status: Math.max(...runs.map(({ status }) => status)),
    passed: sum("passed"),
    lost: sum("lost"),
    isWhole: runs.every(({ isWhole }) => isWhole),
    failed: runs.flatMap(({ failed }) => failed),
    lostNames: runs.flatMap(({ lostNames }) => lostNames),
  };
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
