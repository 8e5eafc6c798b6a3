import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { sample } from "./contract-sample.ts";
import { databaseFile } from "./sqlite-protocol.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { SqliteThreads } from "./sqlite-threads.ts";
import { temporaryDirectories, testOptions } from "./sqlite-variant.ts";

const newDirectory = temporaryDirectories();

test("stores that share threads have each its own, and all are free again when the last is closed", async () => {
  const threads = new SqliteThreads({ limit: 2 });
  const directories = Array.from({ length: 5 }, newDirectory);
  const open = () => Promise.all(directories.map((each) => openSqliteStore({ ...testOptions(each), threads })));
  const stores = await open();
  await Promise.all(stores.map((store, index) => store.create("/configmaps/shop/own", sample(`of ${index}`))));
  for (const store of stores) await store[Symbol.asyncDispose]();
  const again = await open();
  const kept = again.map((store) => store.list({ prefix: "/configmaps/" }));
  expect(kept).toMatchObject(directories.map((_, index) => ({ entries: [{ value: { text: `of ${index}` } }] })));
  for (const store of again) await store[Symbol.asyncDispose]();
});

test("a store that cannot be opened, or that is closed, leaves the others of its thread as they are", async () => {
  const threads = new SqliteThreads({ limit: 1 });
  const damaged = newDirectory();
  writeFileSync(join(damaged, databaseFile), "no database".repeat(1_000));
  const opened = (directory: string) => openSqliteStore({ ...testOptions(directory), threads });
  const [one, other] = [await opened(newDirectory()), await opened(newDirectory())];
  await expect(opened(damaged)).rejects.toMatchObject({ why: "corrupt" });
  await one[Symbol.asyncDispose]();
  await expect(one.create("/configmaps/shop/late", sample("late"))).rejects.toThrow();
  expect(await other.create("/configmaps/shop/web", sample("kept"))).toMatchObject({ ok: true });
  await other[Symbol.asyncDispose]();
});

test("a thread that ends before its time is told to every store that it had", async () => {
  const program = join(newDirectory(), "ends.mjs");
  writeFileSync(program, 'throw new Error("no such module");\n');
  const threads = new SqliteThreads({ limit: 1, worker: pathToFileURL(program) });
  const opening = [newDirectory(), newDirectory()].map((each) => openSqliteStore({ ...testOptions(each), threads }));
  await Promise.allSettled(opening);
  for (const each of opening) await expect(each).rejects.toThrow("no such module");
  for (const each of opening) await expect(each).rejects.toMatchObject({ why: "io" });
});
