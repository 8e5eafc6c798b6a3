import { expect, test } from "vitest";
import { StatusError } from "#api/meta/status-error.ts";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { BackOffGate } from "./back-off-gate.ts";

function world() {
  const clock = new VirtualClock();
  return { clock, gate: new BackOffGate(clock, 30_000) };
}

test("a server that does not answer is left alone for longer and longer, up to half a minute", async () => {
  const { clock, gate } = world();
  const pauses: number[] = [];
  for (let i = 0; i < 7; i++) {
    gate.failed(new Error("no answer"));
    const since = clock.nowMs();
    while (refusalOf(gate) !== undefined) await clock.advance(500);
    pauses.push((clock.nowMs() - since) / 1_000);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30]);
});

test("calls are refused with the words of the failure, and told when to come again", () => {
  const { gate } = world();
  gate.failed(new Error("no answer"));
  gate.failed(new Error("another call that was under way"));
  expect(refusalOf(gate)).toMatchObject({ code: 503, message: "no answer", details: { retryAfterSeconds: 1 } });
});

test("an answer opens it at once", () => {
  const { gate } = world();
  gate.failed(new Error("no answer"));
  gate.answered();
  expect(refusalOf(gate)).toBeUndefined();
});

test("a server that asks for time gets it", async () => {
  const { clock, gate } = world();
  gate.pause(StatusError.tooManyRequests("slow down", 7));
  await clock.advance(6_000);
  expect(refusalOf(gate)).toMatchObject({ message: "slow down", details: { retryAfterSeconds: 1 } });
  await clock.advance(1_000);
  expect(refusalOf(gate)).toBeUndefined();
});

test("a server that asks for time gets it, whatever it answers to calls that were under way", async () => {
  const { clock, gate } = world();
  gate.pause(StatusError.tooManyRequests("slow down", 2));
  gate.answered();
  expect(refusalOf(gate)).toMatchObject({ message: "slow down" });
  await clock.advance(2_000);
  expect(refusalOf(gate)).toBeUndefined();
});

function refusalOf(gate: BackOffGate): unknown {
  try {
    gate.enter();
    return undefined;
  } catch (error: unknown) {
    return error;
  }
}
