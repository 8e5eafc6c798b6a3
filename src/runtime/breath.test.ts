import { expect, test } from "vitest";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { Breath } from "./breath.ts";

/** A loop whose rounds end when they are told to, and whoever takes turns of 4 ms in it. */
function loop() {
  let ms = 0;
  const rounds: (() => void)[] = [];
  const pause = () => new Promise<void>((resolve) => rounds.push(resolve));
  const breath = new Breath(Object.assign(new VirtualClock(), { elapsedMs: () => ms, pause }));
  const turns: string[] = [];
  const work = async (name: string, count: number) => {
    for (let turn = 0; turn < count; turn++) {
      const due = breath.due();
      if (due !== undefined) await due;
      ms += 4;
      turns.push(name);
    }
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const round = async () => {
    for (const each of rounds.splice(0)) each();
    await settle();
    return turns.splice(0).join(" ");
  };
  return { breath, work, round, turns, settle };
}

test("those who share a breath take as long together as one of them may alone", async () => {
  const { work, round, turns, settle } = loop();
  for (const name of ["a", "b", "c", "d", "e", "f"]) void work(name, 2);
  await settle();
  const rounds = [turns.splice(0).join(" "), await round(), await round(), await round(), await round()];
  expect(rounds).toEqual(["a a b", "b c d", "e f c", "d e f", ""]);
});

test("who has more to do than all others takes nobody's turn", async () => {
  const { work, round, turns, settle } = loop();
  void work("much", 20);
  void work("little", 2);
  await settle();
  turns.splice(0);
  const next = [await round(), await round(), await round()].join(" ");
  expect(next.split(" ").filter((name) => name === "little").length).toBeGreaterThan(0);
});

test("who comes while others wait is behind them", async () => {
  const { work, round, turns, settle } = loop();
  for (const name of ["a", "b", "c", "d"]) void work(name, 1);
  await settle();
  expect(turns.splice(0).join(" ")).toBe("a b c");
  void work("late", 1);
  expect(await round()).toBe("d late");
});

test("a pause ends though nobody waits for it, and time since then counts alone", async () => {
  const { breath, work, round } = loop();
  await work("a", 1);
  expect(await round()).toBe("a");
  expect(breath.due()).toBeUndefined();
});

test("a clock without a loop has no pauses", async () => {
  const breath = new Breath(new VirtualClock());
  expect([1, 2, 3].map(() => breath.due())).toEqual([undefined, undefined, undefined]);
});
