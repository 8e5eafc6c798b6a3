import { describe, expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { Settling } from "./settling.ts";

describe("Settling", () => {
  test("news that are final wait until they are quiet", async () => {
    const clock = new VirtualClock();
    const settling = new Settling({ clock, settleMs: 200, patienceMs: 2_000, isBusy: () => false });
    settling.note("a");
    await clock.advance(150);
    settling.note("a");
    expect(settling.leftMs("a", "final")).toBe(200);
    await clock.advance(200);
    expect(settling.leftMs("a", "final")).toBe(0);
  });

  test("news that never get quiet are told all the same", async () => {
    const clock = new VirtualClock();
    const settling = new Settling({ clock, settleMs: 200, patienceMs: 2_000, isBusy: () => false });
    for (let i = 0; i < 20; i++) {
      settling.note("a");
      await clock.advance(100);
    }
    expect(settling.leftMs("a", "final")).toBe(0);
  });

  test("what is under way waits longer, from the first of it", async () => {
    const clock = new VirtualClock();
    const settling = new Settling({ clock, settleMs: 200, patienceMs: 2_000, isBusy: () => false });
    settling.note("a");
    await clock.advance(300);
    settling.note("a");
    expect(settling.leftMs("a", "under way")).toBe(1_700);
  });

  test("what is under way waits longer while there is much else to do, but not for ever", async () => {
    const clock = new VirtualClock();
    const busy = true;
    const settling = new Settling({ clock, settleMs: 200, patienceMs: 2_000, isBusy: () => busy });
    settling.note("a");
    await clock.advance(5_000);
    expect(settling.leftMs("a", "under way")).toBe(2_000);
    await clock.advance(113_000);
    expect(settling.leftMs("a", "under way")).toBe(2_000);
    await clock.advance(1_000);
    expect(settling.leftMs("a", "under way")).toBe(1_000);
    await clock.advance(1_000);
    expect(settling.leftMs("a", "under way")).toBe(0);
  });

  test("patience begins anew once there is less to do: what waited is about to be told to those who report on it", async () => {
    const clock = new VirtualClock();
    let busy = true;
    const settling = new Settling({ clock, settleMs: 200, patienceMs: 2_000, isBusy: () => busy });
    settling.note("a");
    await clock.advance(5_000);
    expect(settling.leftMs("a", "under way")).toBe(2_000);
    busy = false;
    await clock.advance(500);
    expect(settling.leftMs("a", "under way")).toBe(1_500);
    await clock.advance(1_500);
    expect(settling.leftMs("a", "under way")).toBe(0);
    settling.note("b");
    await clock.advance(100);
    expect(settling.leftMs("b", "under way")).toBe(1_900);
  });

  test("many that wait until there is less to do are looked at together, and come back then", async () => {
    const clock = new VirtualClock();
    let busy = true;
    let looks = 0;
    const settling = new Settling({ clock, settleMs: 200, patienceMs: 2_000, isBusy: () => ++looks > 0 && busy });
    const brought: string[] = [];
    const stop = settling.watch((key) => brought.push(key));
    for (const key of ["a", "b", "c"]) settling.note(key);
    await clock.advance(5_000);
    expect(["a", "b", "c"].map((key) => settling.leftMs(key, "under way"))).toEqual([115_000, 115_000, 115_000]);
    settling.settle("b");
    await clock.advance(20_000);
    expect({ brought, looks }).toEqual({ brought: [], looks: 3 + 10 });
    busy = false;
    await clock.advance(2_000);
    expect(brought).toEqual(["a", "c"]);
    expect(settling.leftMs("a", "under way")).toBe(0);
    busy = true;
    expect(settling.leftMs("c", "under way")).toBeGreaterThan(0);
    stop();
    await clock.advance(60_000);
    expect(brought).toEqual(["a", "c"]);
  });

  test("what was found to be under way need not be worked out again until something changes, or patience ends", async () => {
    const clock = new VirtualClock();
    const settling = new Settling({ clock, settleMs: 200, patienceMs: 2_000, isBusy: () => false });
    settling.note("a");
    await clock.advance(300);
    expect(settling.quietInMs("a")).toBe(0);
    expect(settling.leftMs("a", "under way")).toBe(1_700);
    expect(settling.quietInMs("a")).toBe(1_700);
    settling.note("a");
    expect(settling.quietInMs("a")).toBe(200);
    expect(settling.leftMs("a", "under way")).toBe(1_700);
    await clock.advance(1_700);
    expect(settling.quietInMs("a")).toBe(0);
  });

  test("a key without news, or whose news were told, waits for nothing", () => {
    const settling = new Settling({ clock: new VirtualClock(), settleMs: 200, patienceMs: 2_000, isBusy: () => false });
    settling.note("a");
    settling.settle("a");
    expect([settling.leftMs("a", "under way"), settling.leftMs("b", "final")]).toEqual([0, 0]);
  });
});
