import { describe, expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { Pauses } from "./pauses.ts";

describe("Pauses", () => {
  test("a key is left alone for as long as it was said, and no other is", async () => {
    const clock = new VirtualClock();
    const pauses = new Pauses(clock);
    pauses.begin("a", 100);
    await clock.advance(60);
    expect([pauses.leftMs("a"), pauses.leftMs("b")]).toEqual([40, 0]);
    await clock.advance(60);
    expect(pauses.leftMs("a")).toBe(0);
  });

  test("a pause of nothing ends the one before", () => {
    const pauses = new Pauses(new VirtualClock());
    pauses.begin("a", 100);
    pauses.begin("a", 0);
    expect(pauses.leftMs("a")).toBe(0);
  });
});
