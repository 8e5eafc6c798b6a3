import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sample } from "#storage/contract-sample.ts";
import { openSqliteStore } from "#storage/sqlite-store.ts";
import { temporaryDirectories, testOptions } from "#storage/sqlite-variant.ts";
import { randomFrom } from "./random.ts";

const newDirectory = temporaryDirectories();
const prefix = "apps/deployments/";
const writes = 40;
const seed = Number(process.env["FLOTILLA_TEAR_SEED"] ?? Date.now() % 1_000_000);
const random = randomFrom(seed);

/** A store as a crash leaves it: everything in the write-ahead log, nothing in the database file yet. */
let crashed: string;
/** How long the log was after each write, the empty one first. */
const lengths: number[] = [];

beforeAll(async () => {
  const directory = newDirectory();
  await (await openSqliteStore(testOptions(directory)))[Symbol.asyncDispose]();
  const store = await openSqliteStore(testOptions(directory));
  const log = join(directory, "store.db-wal");
  lengths.push(statSync(log, { throwIfNoEntry: false })?.size ?? 0);
  for (let index = 1; index <= writes; index++) {
    await store.create(`${prefix}shop/d${index}`, sample("x".repeat(Math.floor(random() * 20_000))));
    lengths.push(statSync(log).size);
  }
  crashed = newDirectory();
  // By another process: reading the files in this one would release the lock on them.
  execFileSync("cp", ["-r", `${directory}/.`, crashed]);
  await store[Symbol.asyncDispose]();
});

test(`a log that ends anywhere recovers to the last whole write before (seed ${seed})`, async () => {
  const boundaries = lengths.slice(-12).flatMap((length) => [length - 1, length, length + 1]);
  const anywhere = Array.from({ length: 40 }, () => Math.floor(random() * lengths.at(-1)!));
  for (const length of [...boundaries, ...anywhere, 0, 1, 31, 32, 33]) {
    const revision = await revisionAfter((log) => truncateSync(log, Math.min(length, lengths.at(-1)!)));
    expect({ length, revision }).toEqual({ length, revision: wholeWrites(length) });
  }
}, 60_000);

test(`a flipped bit is refused by the byte, unless it is in what was written last (seed ${seed})`, async () => {
  for (let count = 0; count < 92; count++) {
    const offset = count < 32 ? count : 32 + Math.floor(random() * (lengths.at(-1)! - 32));
    const outcome = await outcomeAfter((log) => {
      const bytes = readFileSync(log);
      bytes[offset] = bytes[offset]! ^ (1 << (offset % 8));
      writeFileSync(log, bytes);
    });
    expectTold(offset, outcome);
  }
}, 60_000);

test("sectors of zeros or of another place in the log are not taken for writes, and not passed over", async () => {
  for (const sector of [512, 4096]) {
    for (let count = 0; count < 10; count++) {
      const offset = Math.floor((random() * (lengths.at(-1)! - 2 * sector)) / 512) * 512 + sector;
      for (const from of [undefined, offset - sector]) {
        const outcome = await outcomeAfter((log) => {
          const bytes = readFileSync(log);
          if (from === undefined) bytes.fill(0, offset, offset + sector);
          else bytes.copy(bytes, offset, from, from + sector);
          writeFileSync(log, bytes);
        });
        expectTold(offset, outcome, sector);
      }
    }
  }
}, 60_000);

test("a log that is damaged in its middle is left as it was, and opens when it is cut as the message says", async () => {
  const directory = newDirectory();
  cpSync(crashed, directory, { recursive: true });
  const log = join(directory, "store.db-wal");
  const bytes = readFileSync(log);
  const at = lengths[20]! + 100;
  bytes[at] = bytes[at]! ^ 1;
  writeFileSync(log, bytes);
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(openSqliteStore(testOptions(directory))).rejects.toMatchObject({
      why: "corrupt",
      message: expect.stringContaining(`its log is damaged at byte ${lengths[20]}`),
    });
  }
  expect(readFileSync(log).equals(bytes)).toBe(true);
  truncateSync(log, lengths[20]!);
  const store = await openSqliteStore(testOptions(directory));
  expect([store.revision, store.count(prefix)]).toEqual([20, 20]);
  await store[Symbol.asyncDispose]();
});

test("after a torn end, writing goes on and survives", async () => {
  const directory = newDirectory();
  cpSync(crashed, directory, { recursive: true });
  truncateSync(join(directory, "store.db-wal"), lengths[20]! + 100);
  const store = await openSqliteStore(testOptions(directory));
  expect(store.revision).toBe(20);
  await store.create(`${prefix}shop/next`, sample("next"));
  await store[Symbol.asyncDispose]();
  const again = await openSqliteStore(testOptions(directory));
  expect([again.revision, again.count(prefix), again.get(`${prefix}shop/next`)?.value.text]).toEqual([21, 21, "next"]);
  await again[Symbol.asyncDispose]();
});

type Outcome = { readonly revision: number } | { readonly refusedAt: number };

async function outcomeAfter(change: (log: string) => void): Promise<Outcome> {
  try {
    return { revision: await revisionAfter(change) };
  } catch (error: unknown) {
    const at = /its log is damaged at byte ([0-9]+)/.exec(String(error))?.[1];
    if (at === undefined) throw error;
    return { refusedAt: Number(at) };
  }
}

/** Damage is refused where it begins; only in the last writes it may pass for a torn end, and in bytes that nobody reads for nothing. */
function expectTold(offset: number, outcome: Outcome, bytes = 1): void {
  const whole = wholeWrites(offset);
  if ("refusedAt" in outcome) {
    const start = offset < 32 ? 0 : offset < lengths[0]! ? 32 : lengths[whole]!;
    expect(outcome.refusedAt, `damage at ${offset}`).toBeGreaterThanOrEqual(start);
    expect(outcome.refusedAt, `damage at ${offset}`).toBeLessThanOrEqual(offset + bytes);
    return;
  }
  expect(outcome.revision, `damage at ${offset}`).toBeGreaterThanOrEqual(whole);
  if (outcome.revision < writes) expect(outcome.revision, `damage at ${offset}`).toBeGreaterThanOrEqual(writes - 2);
}

/** Opens a copy of the crashed store whose log was changed; what it holds must be exactly the writes up to its revision. */
async function revisionAfter(change: (log: string) => void): Promise<number> {
  const directory = newDirectory();
  cpSync(crashed, directory, { recursive: true });
  change(join(directory, "store.db-wal"));
  const store = await openSqliteStore(testOptions(directory));
  const list = store.list({ prefix });
  const revisions = list.ok ? list.entries.map((entry) => entry.value.revision).toSorted((a, b) => a - b) : [];
  expect(revisions).toEqual(Array.from({ length: store.revision }, (_, index) => index + 1));
  await store[Symbol.asyncDispose]();
  return store.revision;
}

/** How many writes lie wholly before an offset in the log. */
function wholeWrites(offset: number): number {
  return lengths.findLastIndex((length) => length <= offset) === -1
    ? 0
    : lengths.findLastIndex((length) => length <= offset);
}
