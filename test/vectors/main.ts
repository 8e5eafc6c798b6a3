import { runVectorFile, vectorFiles } from "./run-vectors.ts";

const shownFailures = 3;

/** Runs all vector files of a folder, a line for each, and answers whether all of them passed. */
export async function reportFolder(folder: string): Promise<boolean> {
  let passed = 0;
  let failed = 0;
  for (const file of vectorFiles(folder)) {
    const report = await runVectorFile(folder, file);
    const rulings = [...report.byRuling].map(([ruling, count]) => `, ${count} differ by ruling ${ruling}`).join("");
    console.log(`${file}: ${report.passed} passed, ${report.failures.length} failed${rulings}`);
    for (const failure of report.failures.slice(0, shownFailures)) {
      console.log(`  line ${failure.line} (${failure.label})`);
      for (const difference of failure.differences.slice(0, shownFailures)) console.log(`    ${difference}`);
    }
    passed += report.passed;
    failed += report.failures.length;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
}
