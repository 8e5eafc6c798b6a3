import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { SharedTexts } from "./shared-texts.ts";
import { databaseFile } from "./sqlite-protocol.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { temporaryDirectories, testOptions } from "./sqlite-variant.ts";

const newDirectory = temporaryDirectories();

/** Keeps a value by its number, once it is known. */
function codecOver(shared: SharedTexts) {
  return {
    shared,
    encode: (value: string) => String(shared.idOf(value) ?? `=${value}`),
    decode(text: string): string {
      const value = text.startsWith("=") ? text.slice(1) : shared.textOf(Number(text));
      if (value === undefined) throw new Error(`there is no text ${text}`);
      return value;
    },
  };
}

const open = (directory: string, shared = new SharedTexts()) =>
  openSqliteStore({ ...testOptions(directory), codec: codecOver(shared) });

async function put(directory: string, values: readonly string[]): Promise<void> {
  await using store = await open(directory);
  const writes = values.map((value, index) => store.create(`a/b/${store.revision}-${index}`, () => value));
  expect((await Promise.all(writes)).every(({ ok }) => ok)).toBe(true);
}

async function valuesIn(directory: string): Promise<readonly string[]> {
  await using store = await open(directory);
  const list = store.list({ prefix: "a/b/" });
  return list.ok ? list.entries.map(({ value }) => value) : [];
}

/** Another program has the file meanwhile. */
function inDatabase(directory: string, statements: string): void {
  const database = new DatabaseSync(join(directory, databaseFile));
  database.exec(statements);
  database.close();
}

test("what values share is there at the next start, whichever of them is left", async () => {
  const directory = newDirectory();
  await put(directory, ["x", "x", "y", "x", "y"]);
  await put(directory, ["y", "x"]);
  expect(await valuesIn(directory)).toEqual(["x", "x", "y", "x", "y", "y", "x"]);
});

test("a store of the first format is taken over, and can keep what values share", async () => {
  const directory = newDirectory();
  await put(directory, ["x"]);
  inDatabase(directory, "DROP TABLE texts; PRAGMA user_version = 1");
  expect(await valuesIn(directory)).toEqual(["x"]);
  await put(directory, ["y", "y"]);
  expect(await valuesIn(directory)).toEqual(["x", "y", "y"]);
});

test.each([
  ["differs from what was written", "UPDATE texts SET text = 'z'", "shared text 1 fails its checksum"],
  ["is gone", "DELETE FROM texts", "cannot be decoded"],
])("a shared text that %s is damage, and is said to be", async (_, statement, message) => {
  const directory = newDirectory();
  await put(directory, ["x", "x"]);
  inDatabase(directory, statement);
  await expect(open(directory)).rejects.toMatchObject({ why: "corrupt", message: expect.stringContaining(message) });
});

test("a text whose first value found no room goes with the next one", async () => {
  const directory = newDirectory();
  const shared = new SharedTexts();
  const store = await openSqliteStore({ ...testOptions(directory), codec: codecOver(shared), maxBytes: 1 << 20 });
  const large = "l".repeat(5_000);
  let full = false;
  for (let index = 0; index < 1_000 && !full; index++) {
    shared.idOf(`${large}${index}`); // known the second time, so that its number and its text are written together
    full = !(await store.create(`a/b/${index}`, () => `${large}${index}`)).ok;
  }
  expect(full).toBe(true);
  const deletions = [0, 1, 2, 3].map((index) => {
    const { revision = 0, value = "" } = store.get(`a/b/${index}`) ?? {};
    return store.delete(`a/b/${index}`, revision, () => value);
  });
  const deleted = await Promise.all(deletions);
  expect(deleted.every(({ ok }) => ok)).toBe(true);
  await store[Symbol.asyncDispose]();
  for (const value of await valuesIn(directory)) expect(value.startsWith(large)).toBe(true);
});
