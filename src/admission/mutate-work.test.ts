import { expect, test } from "vitest";
import type { Draft } from "#api/meta/object-meta.ts";
import { mutateWork, type PruneManifest } from "./mutate-work.ts";

const id = "11111111-1111-4111-8111-111111111111";
const label = "work.karmada.io/permanent-id";
const ownKeys = "resourcetemplate.karmada.io/managed-annotations,resourcetemplate.karmada.io/managed-labels";
const keep: PruneManifest = (manifest) => ({ ok: true, value: manifest });

const workOf = (manifests: unknown, labels?: Record<string, string>): Draft => ({
  apiVersion: "work.karmada.io/v1alpha1",
  kind: "Work",
  metadata: { name: "w", ...(labels && { labels }) },
  spec: { workload: { manifests } },
});
const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

test("a work keeps the id that it has, and its manifest carries that id whatever it brings", () => {
  const work = workOf([{ ...map, metadata: { name: "a", labels: { [label]: "stale", b: "1" } } }], { [label]: "mine" });
  expect(mutateWork(work, { id, prune: keep })).toEqual([]);
  expect(work.metadata.labels).toEqual({ [label]: "mine" });
  const [{ metadata }] = work["spec"].workload.manifests;
  expect(metadata.labels).toEqual({ [label]: "mine", b: "1" });
  expect(metadata.annotations["resourcetemplate.karmada.io/managed-labels"]).toBe(`b,${label}`);
});

test("managed annotations name themselves once, however often a work is written", () => {
  const work = workOf([{ ...map, metadata: { name: "a", annotations: { z: "1" } } }]);
  mutateWork(work, { id, prune: keep });
  const once = structuredClone(work);
  mutateWork(work, { id: "another", prune: keep });
  expect(work).toEqual(once);
  const { annotations } = work["spec"].workload.manifests[0].metadata;
  expect(annotations["resourcetemplate.karmada.io/managed-annotations"]).toBe(`${ownKeys},z`);
});

test("a key called __proto__ is a key like any other", () => {
  const work = workOf([{ ...map, metadata: JSON.parse('{"name":"a","labels":{"__proto__":"x"}}') }]);
  mutateWork(work, { id, prune: keep });
  const { labels } = work["spec"].workload.manifests[0].metadata;
  expect(Object.keys(labels).toSorted()).toEqual(["__proto__", label]);
});

test.each<[string, unknown, string[]]>([
  ["text, which the proposals print", ["xxx"], []],
  ["nothing", [], []],
  ["what is no list", { a: 1 }, []],
  ["an object without metadata", [{ apiVersion: "v1", kind: "ConfigMap" }], []],
  ["an object without a kind", [map, { apiVersion: "v1" }], ["spec.workload.manifests[1].kind"]],
  ["metadata that are none", [{ ...map, metadata: [] }], ["spec.workload.manifests[0].metadata"]],
])("manifests that are %s", (_name, manifests, paths) => {
  const errors = mutateWork(workOf(manifests), { id, prune: keep });
  expect(errors.map(({ path }) => path)).toEqual(paths);
});

test("what cannot be pruned is refused with the reason", () => {
  const errors = mutateWork(workOf([map]), { id, prune: () => ({ ok: false, message: "it is no job" }) });
  expect(errors).toEqual([{ path: "spec.workload.manifests[0]", type: "invalid", detail: "it is no job" }]);
});
