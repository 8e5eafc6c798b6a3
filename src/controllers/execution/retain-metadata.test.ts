import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { retainMetadata } from "./retain-metadata.ts";

const observed = {
  metadata: {
    labels: { ours: "old", dropped: "x", theirs: "y" },
    annotations: {
      "resourcetemplate.karmada.io/managed-labels": "dropped,ours",
      "resourcetemplate.karmada.io/managed-annotations": "gone",
      gone: "1",
      local: "2",
    },
    finalizers: ["member.example.com/hold"],
    ownerReferences: [{ name: "o" }],
  },
} as unknown as ApiObject;

test("what the member put there stays, what we no longer send goes", () => {
  const desired = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "c", labels: { ours: "new" }, annotations: { fresh: "3" } },
  };
  expect(retainMetadata(desired, observed).metadata).toEqual({
    name: "c",
    labels: { ours: "new", theirs: "y" },
    annotations: {
      fresh: "3",
      local: "2",
      "resourcetemplate.karmada.io/managed-labels": "dropped,ours",
      "resourcetemplate.karmada.io/managed-annotations": "gone",
    },
    finalizers: ["member.example.com/hold"],
    ownerReferences: [{ name: "o" }],
  });
});
