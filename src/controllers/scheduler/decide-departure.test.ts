import { expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { takeSnapshot } from "#scheduling/cluster-facts.ts";
import { decideDeparture } from "./decide-departure.ts";

const cluster = (name: string, deletionTimestamp?: string) =>
  ({ metadata: { name, ...(deletionTimestamp && { deletionTimestamp }) }, spec: {} }) as unknown as Cluster; // what is read of it
const snapshot = takeSnapshot([cluster("a"), cluster("b"), cluster("leaving", "2026-11-15T00:00:00Z")]);
const binding = (spec: object, metadata: object = {}) =>
  ({ metadata: { name: "x", ...metadata }, spec }) as unknown as Binding; // as above
const on = (...names: string[]) => names.map((name) => ({ name, replicas: 2 }));

test.each([
  ["all stay", binding({ clusters: on("a", "b") }), undefined],
  ["it is on none", binding({}), undefined],
  [
    "it is told to stay as it is",
    binding({ clusters: on("a", "leaving"), suspension: { scheduling: true } }),
    undefined,
  ],
  [
    "it is being deleted",
    binding({ clusters: on("leaving") }, { deletionTimestamp: "2026-11-15T00:00:00Z" }),
    undefined,
  ],
  ["one leaves", binding({ clusters: on("a", "leaving") }), { clusters: on("a") }],
  ["one is gone", binding({ clusters: on("a", "gone") }), { clusters: on("a") }],
  ["all leave", binding({ clusters: on("leaving"), replicas: 2 }), { replicas: 2 }],
])("a binding that nobody speaks for: %s", (_, given, expected) => {
  expect(decideDeparture(given, snapshot)?.spec?.spec).toEqual(expected);
});
