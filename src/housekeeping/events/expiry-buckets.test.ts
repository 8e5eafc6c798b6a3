import fc from "fast-check";
import { expect, test } from "vitest";
import { ExpiryBuckets } from "./expiry-buckets.ts";
import { lastWrittenMs } from "./last-written.ts";

test("a key expires at the end of the bucket in which it is due, and once", () => {
  const buckets = new ExpiryBuckets(60);
  buckets.put("a", 100);
  buckets.put("b", 121);
  expect(buckets.nextMs()).toBe(120);
  expect(buckets.takeDue(119)).toEqual([]);
  expect(buckets.takeDue(120)).toEqual(["a"]);
  expect(buckets.takeDue(1_000)).toEqual(["b"]);
  expect([buckets.nextMs(), buckets.size]).toEqual([undefined, 0]);
});

test("what is written again lives longer, and what is removed does not expire", () => {
  const buckets = new ExpiryBuckets(60);
  buckets.put("a", 100);
  buckets.put("b", 100);
  buckets.put("a", 500);
  buckets.remove("b");
  expect([buckets.takeDue(499), buckets.nextMs()]).toEqual([[], 540]);
});

const key = fc.constantFrom("a", "b", "c", "d");

test("nothing expires early, nothing later than a bucket, and nothing is forgotten", () => {
  const change = fc.record({ key, dueMs: fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(change), fc.integer({ min: 1, max: 100 }), (changes, widthMs) => {
      const buckets = new ExpiryBuckets(widthMs);
      const model = new Map<string, number>();
      for (const { key: each, dueMs } of changes) {
        if (dueMs === undefined) {
          buckets.remove(each);
          model.delete(each);
        } else {
          buckets.put(each, dueMs);
          model.set(each, dueMs);
        }
      }
      for (let nextMs = buckets.nextMs(); nextMs !== undefined; nextMs = buckets.nextMs()) {
        for (const each of buckets.takeDue(nextMs)) {
          const dueMs = model.get(each)!;
          expect(nextMs).toBeGreaterThanOrEqual(dueMs);
          expect(nextMs - dueMs).toBeLessThan(widthMs);
          model.delete(each);
        }
      }
      expect([...model]).toEqual([]);
    }),
  );
});

const stamps: Record<string, { event: object; expect: string }> = {
  "an event that says nothing was written when it was created": { event: {}, expect: "2030-01-01T00:00:00Z" },
  "one that was counted again, when it was last seen": {
    event: { firstTimestamp: "2030-01-01T00:00:00Z", lastTimestamp: "2030-01-01T00:10:00Z", eventTime: null },
    expect: "2030-01-01T00:10:00Z",
  },
  "one of a series, when the series last was": {
    event: { eventTime: "2030-01-01T00:00:00.000000Z", series: { lastObservedTime: "2030-01-01T00:20:00.000000Z" } },
    expect: "2030-01-01T00:20:00Z",
  },
  "nonsense says nothing": { event: { lastTimestamp: "soon" }, expect: "2030-01-01T00:00:00Z" },
};
for (const [name, { event, expect: expected }] of Object.entries(stamps)) {
  test(name, () => {
    const metadata = { name: "e", uid: "e", resourceVersion: "1", creationTimestamp: "2030-01-01T00:00:00Z" };
    expect(lastWrittenMs({ apiVersion: "v1", kind: "Event", metadata, ...event })).toBe(Date.parse(expected));
  });
}
