import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";
import { withTaintsInTime } from "./taints-in-time.ts";

const beganMs = Date.UTC(2026, 10, 15, 0, 0, 0, 500);
const nowMs = beganMs + 60_000;

function cluster(...added: readonly (string | undefined)[]): ApiObject {
  const taints = added.map((timeAdded) => ({ key: "repair", effect: "NoExecute", ...(timeAdded && { timeAdded }) }));
  return { apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster", metadata: {}, spec: { taints } } as never; // what is read of it
}

test("taints that were added since the plan began count from the moment of their edit", () => {
  const early = formatTime(beganMs - 60_000);
  const given = cluster(early, formatTime(beganMs), undefined);
  expect(withTaintsInTime(given, { beganMs, nowMs })).toEqual(cluster(early, formatTime(nowMs), undefined));
});

test("an edit that is made when the plan begins is as it was admitted, and so is anything but a cluster", () => {
  const given = cluster(formatTime(beganMs));
  expect(withTaintsInTime(given, { beganMs, nowMs: beganMs })).toBe(given);
  const other = { ...given, kind: "Node" };
  expect(withTaintsInTime(other, { beganMs, nowMs })).toBe(other);
});
