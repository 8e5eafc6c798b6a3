import { expect, test } from "vitest";
import { PassingNotes } from "./passing-notes.ts";

function notesAt(start: number) {
  const clock = { ms: start, nowMs: () => clock.ms };
  return { clock, notes: new PassingNotes<number>(clock, 100) };
}

test("a note is kept for its time, whenever it was taken, and passes when others are taken", () => {
  for (let offset = 0; offset < 100; offset += 7) {
    const { clock, notes } = notesAt(5_000);
    clock.ms += offset;
    notes.set("a", 1);
    clock.ms += 100;
    notes.set("b", 2);
    expect(notes.get("a")).toBe(1);
    clock.ms += 100;
    notes.set("c", 3);
    expect([notes.get("a"), notes.get("b"), notes.get("c")]).toEqual([undefined, 2, 3]);
    expect(notes.size).toBe(2);
  }
});

test("after a long pause nothing of before is left", () => {
  const { clock, notes } = notesAt(0);
  notes.set("a", 1);
  clock.ms += 1_000;
  notes.set("b", 2);
  expect([notes.get("a"), notes.size]).toEqual([undefined, 1]);
});

test("a note that is taken again, or away, is there once, or not at all", () => {
  const { clock, notes } = notesAt(0);
  notes.set("a", 1);
  clock.ms += 100;
  notes.set("b", 2);
  notes.set("a", 3);
  expect([notes.get("a"), notes.size]).toEqual([3, 2]);
  notes.delete("a");
  expect([notes.get("a"), notes.size]).toEqual([undefined, 1]);
});
