import { memoryUsage } from "node:process";
import { expect, test } from "vitest";
import { ObjectTexts } from "./object-text.ts";

const object = (name: string) => ({
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name, uid: name, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
  data: { text: `${name} ${"x".repeat(10_000)} ü` },
});

test("a line is made once for all watchers, and anew for another kind of event", () => {
  const texts = new ObjectTexts();
  const one = object("one");
  expect(texts.lineOf("ADDED", one)).toBe(`{"type":"ADDED","object":${JSON.stringify(one)}}\n`);
  expect(texts.lineOf("DELETED", one)).toBe(`{"type":"DELETED","object":${JSON.stringify(one)}}\n`);
});

test("lines that wait for slow watchers take nothing beside the heap, for which V8 would look through all of it", () => {
  const texts = new ObjectTexts();
  const before = memoryUsage().arrayBuffers;
  const waiting = Array.from({ length: 1_000 }, (_, index) => texts.lineOf("ADDED", object(`web-${index}`)));
  expect(memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  expect(waiting).toHaveLength(1_000);
});
