import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { ReadTexts } from "./read-texts.ts";

const object = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } }) as unknown as ApiObject; // as far as it is looked at

test("what was read while something was written is known once more, and then no longer", async () => {
  const texts = new ReadTexts();
  const read = object("a");
  await texts.during(async () => texts.keep("a", read));
  expect(texts.take("a")).toBe(read);
  expect(texts.take("a")).toBeUndefined();
});

test("where nothing is written nothing is told twice, and nothing is kept", async () => {
  const texts = new ReadTexts();
  await texts.during(async () => {}).then(() => texts.keep("a", object("a")));
  expect(texts.take("a")).toBeUndefined();
});

test("of many texts the latest are kept, and no more than have room", async () => {
  const texts = new ReadTexts();
  const long = (index: number) => `${index}`.padEnd(100_000, "x");
  await texts.during(async () => {
    for (let index = 0; index < 5; index++) texts.keep(long(index), object(`${index}`));
  });
  expect([0, 1, 2, 3, 4].filter((index) => texts.take(long(index)) !== undefined)).toEqual([3, 4]);
});
