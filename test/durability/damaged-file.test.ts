import { cpSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Sample, sample, watchInto } from "#storage/contract-sample.ts";
import { openSqliteStore } from "#storage/sqlite-store.ts";
import { temporaryDirectories, testOptions } from "#storage/sqlite-variant.ts";
import type { Store } from "#storage/store.ts";
import { randomFrom } from "./random.ts";

const newDirectory = temporaryDirectories();
const prefix = "apps/deployments/";
const pageBytes = 8_192;
const flips = Number(process.env["FLOTILLA_FLIPS"] ?? 100);
const seed = Number(process.env["FLOTILLA_FLIP_SEED"] ?? Date.now() % 1_000_000);

let original: string;
let image: Buffer;
let contents: unknown;

beforeAll(async () => {
  original = newDirectory();
  const store = await openSqliteStore(testOptions(original));
  await writeHistory(store);
  contents = contentsOf(store);
  await store[Symbol.asyncDispose]();
  image = readFileSync(join(original, "store.db"));
});

test(`of ${flips} single flipped bits, each is refused in words or changes nothing (seed ${seed})`, async () => {
  const outcomes = { refused: 0, harmless: 0 };
  for (const offset of flipOffsets()) {
    const damaged = Buffer.from(image);
    damaged[offset] = damaged[offset]! ^ (1 << (offset % 8));
    const found = await openDamaged(damaged);
    if (found instanceof Error) {
      expect(found.name).toBe("StoreFailure");
      outcomes.refused++;
    } else {
      expect({ offset, found }).toEqual({ offset, found: contents });
      outcomes.harmless++;
    }
  }
  expect(outcomes.refused).toBeGreaterThan(flips / 3); // else the flips would have missed the data
}, 120_000);

test("the error of a damaged file names the file and what to do", async () => {
  const damaged = Buffer.from(image);
  const value = damaged.indexOf("yyyyyyyyyyyyyyyy");
  damaged[value] = 0x7a;
  const found = await openDamaged(damaged);
  expect(found).toMatchObject({ name: "StoreFailure", why: "corrupt" });
  expect(String(found)).toMatch(
    /cannot read the store in ".*": ".*store\.db" is damaged; keep a copy .* restore it from a backup .*\(the record of revision \d+ fails its checksum\)/,
  );
});

const files: Record<string, (path: string) => void> = {
  "is no database": (path) =>
    writeFileSync(path, "not a database at all, but longer than a header would be".repeat(100)),
  "lost its second half": (path) => truncateSync(path, Math.floor(image.length / 2 / pageBytes) * pageBytes),
  "lost a page at its end": (path) => truncateSync(path, image.length - pageBytes),
  "has a page of zeros": (path) =>
    writeFileSync(
      path,
      Buffer.concat([image.subarray(0, 3 * pageBytes), Buffer.alloc(pageBytes), image.subarray(4 * pageBytes)]),
    ),
};

for (const [name, damage] of Object.entries(files)) {
  test(`a file that ${name} is refused as damaged`, async () => {
    const directory = copy();
    damage(join(directory, "store.db"));
    await expect(openSqliteStore(testOptions(directory))).rejects.toMatchObject({ why: "corrupt" });
  });
}

test("a file that a later release wrote is refused by that name", async () => {
  const later = Buffer.from(image);
  later.writeUInt32BE(99, 60); // SQLite's user_version
  expect(await openDamaged(later)).toMatchObject({
    why: "newer",
    message: expect.stringContaining("its format is 99"),
  });
});

test("a check of the whole file passes on a sound one", async () => {
  const store = await openSqliteStore({ ...testOptions(copy()), fullCheck: true });
  expect(contentsOf(store)).toEqual(contents);
  await store[Symbol.asyncDispose]();
});

/** Creates, updates, deletions, some of them compacted and swept: a file with live, dead and free pages. */
async function writeHistory(store: Store<Sample>): Promise<void> {
  for (let index = 1; index <= 60; index++)
    await store.create(`${prefix}shop/d${index}`, sample("x".repeat(index * 40)));
  await store.compact(30);
  for (let index = 1; index <= 30; index++) {
    const key = `${prefix}shop/d${index}`;
    if (index % 3 === 0) await store.delete(key, index, sample("z".repeat(index * 20)));
    else await store.update(key, index, sample("y".repeat(index * 60)));
  }
  await store.compact(75);
}

function contentsOf(store: Store<Sample>): unknown {
  const watch = watchInto(store, { prefix, after: 75 });
  const events = watch.events.map(({ type, key, revision, value }) => ({ type, key, revision, value }));
  return {
    revision: store.revision,
    list: store.list({ prefix }),
    at: store.list({ prefix, at: 75 }),
    isServed: watch.result.ok,
    events,
  };
}

/** The beginning of every page, where its structure is, and anywhere. */
function flipOffsets(): readonly number[] {
  const random = randomFrom(seed);
  return Array.from({ length: flips }, (_, index) => {
    const page = Math.floor(random() * (image.length / pageBytes));
    return page * pageBytes + Math.floor(random() * (index % 3 === 0 ? 100 : pageBytes));
  });
}

async function openDamaged(bytes: Buffer): Promise<unknown> {
  const directory = newDirectory();
  writeFileSync(join(directory, "store.db"), bytes);
  try {
    const store = await openSqliteStore(testOptions(directory));
    const found = contentsOf(store);
    await store[Symbol.asyncDispose]();
    return found;
  } catch (error) {
    return error;
  }
}

function copy(): string {
  const directory = newDirectory();
  cpSync(original, directory, { recursive: true });
  return directory;
}
