import { expect, test } from "vitest";
import { CallSlots } from "./call-slots.ts";

/** Takes so many slots at once; tells which were given, in order. */
function crowd(slots: CallSlots, count: number): readonly number[] {
  const given: number[] = [];
  for (let each = 0; each < count; each++) void slots.take().then(() => given.push(each));
  return given;
}

test("so many go at once, the others in the order in which they came", async () => {
  const slots = new CallSlots(2);
  const given = crowd(slots, 4);
  await Promise.resolve();
  expect(given).toEqual([0, 1]);
  slots.free();
  slots.free();
  await Promise.resolve();
  expect(given).toEqual([0, 1, 2, 3]);
});

test("a server that asks for time gets half as many, one at least, and more again as it answers", () => {
  const slots = new CallSlots(16);
  slots.narrow();
  expect(slots.limit).toBe(8);
  for (let i = 0; i < 9; i++) slots.narrow();
  expect(slots.limit).toBe(1);
  for (let i = 0; i < 12; i++) slots.widen();
  expect(slots.limit).toBe(2);
  for (let i = 0; i < 5_000; i++) slots.widen();
  expect(slots.limit).toBe(16);
});

test("where fewer may go than are under way, nobody goes until enough are back", async () => {
  const slots = new CallSlots(4);
  const given = crowd(slots, 5);
  slots.narrow();
  slots.free();
  slots.free();
  await Promise.resolve();
  expect(given).toEqual([0, 1, 2, 3]);
  slots.free();
  await Promise.resolve();
  expect(given).toEqual([0, 1, 2, 3, 4]);
});
