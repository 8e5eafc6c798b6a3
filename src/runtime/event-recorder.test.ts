import { expect, test } from "vitest";
import { silentLogger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { createEventRecorder } from "./event-recorder.ts";

test("a flood of good news is cut, and keeps nobody from hearing of what went wrong", async () => {
  const clock = new VirtualClock();
  const written: string[] = [];
  const client = {
    create: async () => void written.push("create"),
    patch: async () => void written.push("count up"),
  } as unknown as Client; // the part that is used
  const random = { uuid: () => "u", fraction: () => 0.5 };
  const recorder = createEventRecorder({ client, clock, random, log: silentLogger, component: "test" });
  const record = (type: "Normal" | "Warning", count: number) => {
    for (let index = 0; index < count; index++) {
      const metadata = {
        name: `n${index}`,
        namespace: "n",
        uid: `${type}-${index}`,
        resourceVersion: "1",
        creationTimestamp: "",
      };
      recorder.record({ apiVersion: "v1", kind: "ConfigMap", metadata }, { type, reason: "R", message: `${index}` });
    }
    return written.splice(0).length;
  };
  expect(record("Normal", 1_000)).toBe(100);
  expect(record("Warning", 50)).toBe(50);
  await clock.advance(10_000);
  expect(record("Normal", 1_000)).toBe(50);
});
