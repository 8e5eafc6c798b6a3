import { join } from "node:path";
import { expect, test } from "vitest";
import { runVectorFile, vectorFiles } from "./run-vectors.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const shownFailures = 5;

test.each(vectorFiles(fixtures))("%s: our answers equal the recorded ones", async (file) => {
  const { passed, failures } = await runVectorFile(fixtures, file);
  const shown = failures
    .slice(0, shownFailures)
    .map(
      ({ line, label, differences }) => `line ${line} (${label}): ${differences.slice(0, shownFailures).join("; ")}`,
    );
  expect(shown, `${failures.length} vectors fail`).toEqual([]);
  expect(passed).toBeGreaterThan(0);
});
