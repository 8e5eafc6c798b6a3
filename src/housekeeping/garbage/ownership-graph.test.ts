import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiObject, OwnerReference } from "#api/meta/object-meta.ts";
import { configMaps, secrets } from "#housekeeping/resource-ids.ts";
import { OwnershipGraph } from "./ownership-graph.ts";

interface Sketch {
  readonly owners?: readonly string[];
  readonly blocking?: boolean;
  readonly deletion?: "foregroundDeletion" | "orphan" | "plain";
}

function object(uid: string, { owners = [], blocking = false, deletion }: Sketch = {}): ApiObject {
  const reference = (owner: string): OwnerReference => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    name: owner,
    uid: owner,
    blockOwnerDeletion: blocking,
  });
  const metadata = { name: uid, namespace: "default", uid, resourceVersion: "1", creationTimestamp: "" };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      ...metadata,
      ...(owners.length === 0 ? {} : { ownerReferences: owners.map(reference) }),
      ...(deletion === undefined ? {} : { deletionTimestamp: "2030-01-01T00:00:00Z", finalizers: [deletion] }),
    },
  };
}

function open() {
  const graph = new OwnershipGraph();
  const told: string[] = [];
  graph.subscribe({
    dependent: (uid, { initial }) => void told.push(`${uid}${initial ? "*" : ""}`),
    owner: (uid) => void told.push(`owner ${uid}`),
  });
  const put = (uid: string, sketch?: Sketch) => graph.put(configMaps, { object: object(uid, sketch), initial: false });
  const take = () => told.splice(0);
  return { graph, put, take };
}

test("an object is told of when it first has owners and when they change, not when anything else does", () => {
  const { put, take } = open();
  put("a");
  put("b", { owners: ["a"] });
  expect(take()).toEqual(["b"]);
  put("b", { owners: ["a"] });
  put("a");
  expect(take()).toEqual([]);
  put("b", { owners: ["a", "c"] });
  expect(take()).toEqual(["b"]);
});

test("dependents are told when their owner goes, also when it comes to be known only after them", () => {
  const { graph, put, take } = open();
  put("b", { owners: ["a"] });
  put("c", { owners: ["a"] });
  put("a");
  take();
  graph.remove("a", { initial: true });
  expect(take()).toEqual(["b*", "c*"]);
  expect(graph.hasSeenGoing("a")).toBe(true);
  graph.remove("b", { initial: false });
  graph.remove("c", { initial: false });
  expect([graph.hasSeenGoing("a"), graph.size]).toEqual([false, 0]);
});

test("what waits for its dependents is told when it begins to wait and when one of them changes or goes", () => {
  const { graph, put, take } = open();
  put("a");
  put("b", { owners: ["a"], blocking: true });
  take();
  put("a", { deletion: "foregroundDeletion" });
  expect(take()).toEqual(["b", "owner a"]);
  put("b", { owners: ["a"], blocking: false });
  expect(take()).toEqual(["b", "owner a", "owner a"]);
  graph.remove("b", { initial: false });
  expect(take()).toEqual(["owner a"]);
  put("o", { deletion: "orphan" });
  expect(take()).toEqual(["owner o"]);
  put("p", { deletion: "plain" });
  expect(take()).toEqual([]);
});

test("what is served no longer is forgotten without a word, and is not taken for gone", () => {
  const { graph, put, take } = open();
  graph.put(secrets, { object: object("s"), initial: false });
  put("b", { owners: ["s"] });
  take();
  graph.drop(secrets);
  expect([take(), graph.get("s"), graph.hasSeenGoing("s")]).toEqual([[], undefined, false]);
  expect(graph.dependentsOf("s").map(({ uid }) => uid)).toEqual(["b"]);
});

const uid = fc.constantFrom("a", "b", "c", "d");

test("dependents are always those whose references say so, whatever came and went", () => {
  const change = fc.record({ uid, owners: fc.option(fc.uniqueArray(uid, { maxLength: 3 }), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const { graph, put } = open();
      const model = new Map<string, readonly string[]>();
      for (const { uid: each, owners } of changes) {
        if (owners === undefined) {
          graph.remove(each, { initial: false });
          model.delete(each);
        } else {
          put(each, { owners });
          model.set(each, owners);
        }
      }
      expect(graph.size).toBe(model.size);
      for (const owner of ["a", "b", "c", "d"]) {
        const expected = [...model].filter(([, owners]) => owners.includes(owner)).map(([key]) => key);
        expect(
          graph
            .dependentsOf(owner)
            .map((node) => node.uid)
            .sort(),
        ).toEqual(expected.sort());
        if (expected.length === 0) expect(graph.hasSeenGoing(owner)).toBe(false);
      }
    }),
  );
});
