import { expect, test } from "vitest";
import type { Toleration } from "#api/core/toleration.ts";
import { toleratedUntilMs } from "./tolerated-until.ts";

const timeAdded = "2026-11-15T00:00:00Z";
const sinceMs = Date.parse(timeAdded);
const taint = { key: "k", effect: "NoExecute", timeAdded };
const never = Number.NEGATIVE_INFINITY;
const forEver = Number.POSITIVE_INFINITY;

test.each<[string, readonly Toleration[], number]>([
  ["nothing tolerates it", [], never],
  ["another key is tolerated", [{ key: "x", operator: "Exists" }], never],
  ["another effect is tolerated", [{ key: "k", operator: "Exists", effect: "NoSchedule" }], never],
  ["no seconds are for ever", [{ key: "k", operator: "Exists" }], forEver],
  ["seconds count from when the taint was added", [{ operator: "Exists", tolerationSeconds: 30 }], sinceMs + 30_000],
  ["no seconds at all", [{ operator: "Exists", tolerationSeconds: 0 }], never],
  ["less than none", [{ operator: "Exists", tolerationSeconds: -1 }], never],
  [
    "the first toleration that covers it counts",
    [{ key: "k", operator: "Exists", tolerationSeconds: 5 }, { operator: "Exists" }],
    sinceMs + 5_000,
  ],
])("%s", (_, tolerations, expected) => {
  expect(toleratedUntilMs(taint, tolerations)).toBe(expected);
});

test("a taint without a date never runs out", () => {
  expect(toleratedUntilMs({ key: "k", effect: "NoExecute" }, [{ operator: "Exists", tolerationSeconds: 5 }])).toBe(
    forEver,
  );
});
