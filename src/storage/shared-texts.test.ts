import { expect, test } from "vitest";
import { SharedTexts } from "./shared-texts.ts";

test("a text gets its number when it comes again, and keeps it", () => {
  const texts = new SharedTexts();
  expect([texts.idOf("a"), texts.idOf("b"), texts.idOf("a"), texts.idOf("b"), texts.idOf("a")]).toEqual([
    undefined,
    undefined,
    1,
    2,
    1,
  ]);
  expect(texts.textOf(2)).toBe("b");
  expect(texts.textOf(3)).toBeUndefined();
});

test("what is not known to be durable goes with every commit", () => {
  const texts = new SharedTexts();
  for (const text of ["a", "a", "b", "b"]) texts.idOf(text);
  const sent = texts.unsaved();
  expect(sent).toEqual([
    [1, "a"],
    [2, "b"],
  ]);
  for (const text of ["c", "c"]) texts.idOf(text);
  texts.committed(sent, { kept: "nothing", detail: "full" });
  expect(texts.unsaved().length).toBe(3);
  texts.committed(sent, { kept: "all" });
  expect(texts.unsaved()).toEqual([[3, "c"]]);
});

test("after a start the numbers go on", () => {
  const texts = new SharedTexts();
  texts.restore([7, "a"]);
  expect([texts.idOf("a"), texts.idOf("b"), texts.idOf("b")]).toEqual([7, undefined, 8]);
  expect(texts.unsaved()).toEqual([[8, "b"]]);
});

test("while space is short, none is added", () => {
  const texts = new SharedTexts();
  const twice = (text: string) => texts.idOf(text) ?? texts.idOf(text);
  twice("a");
  texts.committed(texts.unsaved(), { kept: "deletions", detail: "full" });
  expect([twice("a"), twice("b"), texts.unsaved()]).toEqual([1, undefined, []]);
  texts.committed([], { kept: "all" });
  expect(twice("b")).toBe(2);
});

test("beyond the limits texts are written out, and those that have a number keep it", () => {
  const texts = new SharedTexts();
  const large = (index: number) => `${index}${"x".repeat(16_000)}`;
  const ids = Array.from(
    { length: 600 },
    (_, index) => [large(index), large(index)].map((text) => texts.idOf(text))[1],
  );
  expect(ids.filter((id) => id !== undefined).length).toBe(524);
  expect(texts.idOf(large(0))).toBe(1);
  expect(texts.idOf("y".repeat(17_000)) ?? texts.idOf("y".repeat(17_000))).toBeUndefined();
});
