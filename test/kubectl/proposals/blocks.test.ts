import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixturesOf, printedBlocks, proposals } from "./blocks.ts";

/** How many fenced blocks each text has, counted in the text: a row that is dropped from the list shows here. */
const blocksInText = {
  "000-static-policies": 12,
  "001-preemption": 8,
  "002-suspension": 13,
  "003-batch-change": 8,
  "004-dependencies": 6,
} as const;

describe.each(proposals)("what proposal %s prints", (proposal) => {
  const blocks = printedBlocks(proposal);
  const kept = blocks.flatMap(({ file, sample, sha256 }) =>
    (file ?? sample) ? [{ name: (file ?? sample)!, sha256 }] : [],
  );

  test("every block is listed once, in order", () => {
    expect(blocks.map(({ block }) => block)).toEqual(
      Array.from({ length: blocksInText[proposal] }, (_, index) => index + 1),
    );
  });

  test("every block is a manifest, or the list says what it is", () => {
    for (const { block, file, noManifest } of blocks) {
      expect(
        [file, noManifest].filter((each) => each !== undefined),
        `block ${block}`,
      ).toHaveLength(1);
    }
  });

  test("what is listed is there, and nothing else", () => {
    expect(readdirSync(fixturesOf(proposal)).sort()).toEqual(kept.map(({ name }) => name).sort());
  });

  test.each(kept)("$name is as printed", ({ name, sha256 }) => {
    const bytes = readFileSync(join(fixturesOf(proposal), name));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
  });
});
