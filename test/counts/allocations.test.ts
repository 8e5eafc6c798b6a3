import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { restart } from "./actions.ts";
import { type Allocations, growing, parseRecord, renderRecord, renewed } from "./allocation-record.ts";
import { countAllocations } from "./count-allocations.ts";

const page = join(import.meta.dirname, "../../docs/performance/allocations.md");
const major = Number.parseInt(process.versions.node, 10);
let small: Allocations;
let large: Allocations;

beforeAll(async () => {
  small = await countAllocations(3);
  large = await countAllocations(30);
});

test("every action allocates what is written down; `npx vitest run test/counts -u` writes it anew", async () => {
  const recorded = parseRecord(existsSync(page) ? readFileSync(page, "utf8") : "");
  await expect(renderRecord(renewed(recorded, { major, bytes: small }))).toMatchFileSnapshot(page);
});

test("what an action allocates does not grow with the fleet; a restart reads everything", () => {
  expect(growing(small, large)).toEqual([restart]);
});

interface Judged {
  readonly bytes: number;
  readonly becomes: number;
  readonly under?: number;
}

const judged: Readonly<Record<string, Judged>> = {
  "the same is no news": { bytes: 100_000, becomes: 100_000 },
  "a little more is no news": { bytes: 100_900, becomes: 100_000 },
  "a little less is no news": { bytes: 97_100, becomes: 100_000 },
  "more is news": { bytes: 101_100, becomes: 101_100 },
  "less is news, so that it stays less": { bytes: 96_900, becomes: 96_900 },
  "another engine may differ": { under: 22, bytes: 109_000, becomes: 100_000 },
  "another engine may not differ by much": { under: 22, bytes: 111_000, becomes: 111_000 },
};

for (const [sentence, { bytes, becomes, under = 20 }] of Object.entries(judged)) {
  test(sentence, () => {
    const recorded = { major: 20, bytes: { action: 100_000 } };
    expect(renewed(recorded, { major: under, bytes: { action: bytes } }).bytes).toEqual({ action: becomes });
  });
}

test("a record is read as it was written", () => {
  const record = { major: 20, bytes: { "a new image, to all": 14_387_000, [restart]: 20_625_000 } };
  expect(parseRecord(renderRecord(record))).toEqual(record);
});
