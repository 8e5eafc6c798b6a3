import { expect, test } from "vitest";
import type { Draft } from "#api/meta/object-meta.ts";
import { mutateCluster } from "./mutate-cluster.ts";
import { resourceModelErrors } from "./validate-resource-models.ts";

const now = "2026-08-01T12:00:00Z";
const completed = (spec: object, { created = true, resourceModeling = false } = {}) => {
  const cluster: Draft = { apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster", metadata: { name: "m1" }, spec };
  mutateCluster(cluster, { created, now, resourceModeling });
  return cluster["spec"];
};

test.each<[string, object, object]>([
  ["a zone becomes the only one of the zones", { zone: "a" }, { zones: ["a"] }],
  ["a zone beside zones stays, to be refused", { zone: "a", zones: ["b"] }, { zone: "a", zones: ["b"] }],
  ["an empty zone is none", { zone: "" }, { zone: "" }],
  [
    "a taint that drives out says since when, once",
    { taints: [{ effect: "NoExecute" }, { effect: "NoExecute", timeAdded: "then" }, { effect: "NoSchedule" }] },
    {
      taints: [
        { effect: "NoExecute", timeAdded: now },
        { effect: "NoExecute", timeAdded: "then" },
        { effect: "NoSchedule" },
      ],
    },
  ],
])("%s", (_name, given, expected) => {
  expect(completed(given)).toEqual(expected);
});

test("a new cluster has nine grades of nodes, which are legal; an update adds none", () => {
  const { resourceModels } = completed({}, { resourceModeling: true });
  expect(resourceModels).toHaveLength(9);
  expect(resourceModels[0].ranges).toEqual([
    { name: "cpu", min: "0", max: "1" },
    { name: "memory", min: "0", max: "4Gi" },
  ]);
  expect(resourceModelErrors(resourceModels, "x")).toEqual([]);
  expect(completed({}, { resourceModeling: true, created: false })).toEqual({});
  expect(completed({})).toEqual({});
});

test("grades that someone wrote are sorted, the first begins at nothing and the last has no end", () => {
  const range = (min: string, max: string) => [{ name: "cpu", min, max }];
  const models = [
    { grade: 2, ranges: range("4", "8") },
    { grade: 1, ranges: range("1", "4") },
  ];
  expect(completed({ resourceModels: models }, { resourceModeling: true }).resourceModels).toEqual([
    { grade: 1, ranges: range("0", "4") },
    { grade: 2, ranges: range("4", "9223372036854775807") },
  ]);
  const odd = [{ grade: 1 }, 7];
  expect(completed({ resourceModels: odd }, { resourceModeling: true })).toEqual({ resourceModels: odd });
});
