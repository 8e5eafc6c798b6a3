import { expect, test } from "vitest";
import { recordWrites } from "#bench/write-recorder.ts";
import { sample } from "#storage/contract-sample.ts";
import { openSqliteStore } from "#storage/sqlite-store.ts";
import { temporaryDirectories, testOptions } from "#storage/sqlite-variant.ts";

const newDirectory = temporaryDirectories();

test("what stores make durable is recorded by group, as long as somebody looks", async () => {
  const stores = await Promise.all([newDirectory(), newDirectory()].map((each) => openSqliteStore(testOptions(each))));
  const create = (name: string) =>
    Promise.all(stores.map((store) => store.create(`/configmaps/a/${name}`, sample(name))));
  const { groups } = await recordWrites(async () => {
    await create("one");
    await create("two");
  });
  await create("unseen");
  expect(groups.map((texts) => texts.map((text) => JSON.parse(text).text))).toEqual([
    ["one"],
    ["one"],
    ["two"],
    ["two"],
  ]);
  for (const store of stores) await store[Symbol.asyncDispose]();
});
