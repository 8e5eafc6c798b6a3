import { expect, test } from "vitest";
import type { Work } from "#api/work/work.ts";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import type { ExecutionStep } from "./decide-execution.ts";
import { LateReleases } from "./late-releases.ts";

const leaving = (uid: string) =>
  ({ metadata: { name: "web", uid, deletionTimestamp: "2026-01-01T00:00:00Z" } }) as unknown as Work; // all that is read
const remove = { do: "letGoNamespace", name: "shop" } as const satisfies ExecutionStep;
const release = { do: "releaseWork" } as const satisfies ExecutionStep;

test("while there is much to do, copies are deleted at once and their works let go later", async () => {
  const clock = new VirtualClock();
  let busy = true;
  const releases = new LateReleases({ clock, isBusy: () => busy });
  expect(releases.atOnce([remove, release])).toEqual([remove]);
  expect(releases.waitMs(leaving("1"))).toBeUndefined();
  releases.note(leaving("1"), [remove]);
  expect(releases.waitMs(leaving("1"))).toBe(1_000);
  expect(releases.waitMs(leaving("2"))).toBeUndefined();
  busy = false;
  expect(releases.waitMs(leaving("1"))).toBe(0);
  busy = true;
  await clock.advance(60_000);
  expect(releases.waitMs(leaving("1"))).toBe(0);
  releases.forget("web");
  expect(releases.waitMs(leaving("1"))).toBeUndefined();
});

test("works that wait are looked at together, and brought back when there is less to do", async () => {
  const clock = new VirtualClock();
  let busy = true;
  let looks = 0;
  const releases = new LateReleases({ clock, isBusy: () => ++looks > 0 && busy });
  const brought: string[] = [];
  releases.watch((name) => brought.push(name));
  const works = ["a", "b", "c"].map((name) => ({ metadata: { ...leaving("1").metadata, name } }) as Work);
  for (const work of works) releases.note(work, [remove]);
  expect(works.map((work) => releases.waitMs(work))).toEqual([60_000, 60_000, 60_000]);
  releases.forget("b");
  await clock.advance(10_000);
  expect({ brought, looks }).toEqual({ brought: [], looks: 3 + 100 });
  busy = false;
  await clock.advance(100);
  expect(brought).toEqual(["a", "c"]);
});

test("works that are let go make much to do, which keeps no other back: they come in portions, and what came need not ask again", async () => {
  const clock = new VirtualClock();
  let busy = true;
  const releases = new LateReleases({ clock, isBusy: () => busy });
  const brought: string[] = [];
  releases.watch((name) => brought.push(name));
  const works = Array.from({ length: 600 }, (_, index) => {
    return { metadata: { ...leaving("1").metadata, name: `web-${index}` } } as Work;
  });
  for (const work of works) {
    releases.note(work, [remove]);
    releases.waitMs(work);
  }
  busy = false;
  await clock.advance(100);
  expect(brought).toHaveLength(256);
  busy = true;
  expect(works.filter((work) => releases.waitMs(work) === 0)).toHaveLength(256);
  busy = false;
  await clock.advance(200);
  expect(brought).toHaveLength(600);
});

test("otherwise all is done at once, and so is what comes alone", () => {
  const clock = new VirtualClock();
  const calm = new LateReleases({ clock, isBusy: () => false });
  expect(calm.atOnce([remove, release])).toEqual([remove, release]);
  calm.note(leaving("1"), [remove, release]);
  expect(calm.waitMs(leaving("1"))).toBeUndefined();
  const busy = new LateReleases({ clock, isBusy: () => true });
  expect(busy.atOnce([release])).toEqual([release]);
  expect(busy.atOnce([remove])).toEqual([remove]);
});
