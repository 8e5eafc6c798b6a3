import { expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { Bookkeeping } from "./bookkeeping.ts";

const more = { urgency: "whenCalm", referrers: 10 } as const;
const fewer = { urgency: "soon", referrers: 10 } as const;

function watched(isBusy: () => boolean) {
  const clock = new VirtualClock();
  const bookkeeping = new Bookkeeping({ clock, isBusy });
  const brought: string[] = [];
  bookkeeping.watch((key) => brought.push(key));
  return { clock, bookkeeping, brought };
}

test("who comes to need what is there waits a second for others, and longer where very many need it", async () => {
  const { clock, bookkeeping } = watched(() => false);
  expect(bookkeeping.leftMs("few", more)).toBe(1_000);
  expect(bookkeeping.leftMs("many", { ...more, referrers: 400 })).toBe(2_000);
  await clock.advance(1_000);
  expect(bookkeeping.leftMs("few", more)).toBe(0);
  expect(bookkeeping.leftMs("many", { ...more, referrers: 400 })).toBe(1_000);
  bookkeeping.end("few");
  expect(bookkeeping.leftMs("few", more)).toBe(1_000);
});

test("while there is much to do it waits until there is less, and what was brought back need not ask again", async () => {
  let busy = true;
  const { clock, bookkeeping, brought } = watched(() => busy);
  bookkeeping.leftMs("settings", more);
  await clock.advance(1_000);
  expect(bookkeeping.leftMs("settings", more)).toBe(59_000);
  await clock.advance(10_000);
  expect(bookkeeping.leftMs("settings", more)).toBe(49_000);
  busy = false;
  await clock.advance(100);
  expect(brought).toEqual(["settings"]);
  busy = true; // what was brought back is much to do itself
  expect(bookkeeping.leftMs("settings", more)).toBe(0);
  bookkeeping.end("settings");
  expect(bookkeeping.leftMs("settings", more)).toBe(1_000);
  await clock.advance(1_000);
  expect(bookkeeping.leftMs("settings", more)).toBe(59_000);
});

test("a minute is the longest, however much there is to do", async () => {
  const { clock, bookkeeping, brought } = watched(() => true);
  bookkeeping.leftMs("settings", more);
  await clock.advance(59_999);
  expect(bookkeeping.leftMs("settings", more)).toBe(1);
  await clock.advance(1);
  expect(bookkeeping.leftMs("settings", more)).toBe(0);
  expect(brought).toEqual([]);
});

test("one that waits to be let go does not wait until there is less to do", async () => {
  const { clock, bookkeeping } = watched(() => true);
  bookkeeping.leftMs("settings", more);
  await clock.advance(1_000);
  expect(bookkeeping.leftMs("settings", fewer)).toBe(0);
});

test("while nobody watches it is written down at once: nothing would bring it back", async () => {
  const clock = new VirtualClock();
  const bookkeeping = new Bookkeeping({ clock, isBusy: () => true });
  bookkeeping.leftMs("settings", more);
  await clock.advance(1_000);
  expect(bookkeeping.leftMs("settings", more)).toBe(0);
});
