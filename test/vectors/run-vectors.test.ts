import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runVectorFile, vectorFiles } from "./run-vectors.ts";

const folder = mkdtempSync(join(tmpdir(), "flotilla-vectors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const seats = (expected: number) =>
  JSON.stringify({
    fn: "allocateWebsterSeats",
    case: "one party takes all",
    in: { newSeats: 3, votes: { a: 1 }, initialSeats: {}, uid: "" },
    out: { parties: [{ name: "a", seats: expected }] },
  });

async function run(file: string, lines: readonly string[]) {
  writeFileSync(join(folder, file), lines.join("\n"));
  const { passed, failures } = await runVectorFile(folder, file);
  return { passed, failures: failures.map(({ line, differences }) => `${line}: ${differences[0]?.split("\n")[0]}`) };
}

test("right answers pass, wrong ones are shown with their line", async () => {
  expect(await run("webster.jsonl", [seats(3), "", seats(4)])).toEqual({
    passed: 1,
    failures: ["3: .parties[0].seats: expected 4, got 3"],
  });
});

test("a file that nobody answers fails by its name", async () => {
  const { passed, failures } = await run("nobody.jsonl", [seats(3)]);
  expect(passed).toBe(0);
  expect(failures).toEqual([expect.stringContaining("0: cannot load test/vectors/adapters/nobody.ts")]);
});

test("a file without vectors fails", async () => {
  expect(await run("webster.jsonl", [""])).toEqual({ passed: 0, failures: ["0: the file has no vectors"] });
});

test("a function that the adapter does not know fails, and so does one that throws", async () => {
  const unknown = JSON.stringify({ fn: "toString", case: "x", in: {}, err: "any" });
  const broken = JSON.stringify({ fn: "allocateWebsterSeats", case: "x", in: {}, err: "any" });
  const { passed, failures } = await run("webster.jsonl", [unknown, broken]);
  expect(passed).toBe(0);
  expect(failures).toEqual(["1: the adapter has no function toString", expect.stringMatching(/^2: threw TypeError/)]);
});

test("only vector files are taken, in order", () => {
  writeFileSync(join(folder, "README.md"), "");
  expect(vectorFiles(folder)).toEqual(["nobody.jsonl", "webster.jsonl"]);
});
