import { expect, test } from "vitest";
import { editEffect } from "./edit-effect.ts";

const policy = (more: object, spec: object = {}) => ({
  apiVersion: "policy.karmada.io/v1alpha1",
  kind: "PropagationPolicy",
  metadata: { name: "p", namespace: "shop", uid: "u", resourceVersion: "1", creationTimestamp: "t", ...more },
  spec,
});

test.each([
  ["what was not there is created", undefined, policy({}), "created"],
  ["what goes is deleted", policy({}), undefined, "deleted"],
  ["what is not there cannot go", undefined, undefined, undefined],
  ["another spec is a change", policy({}), policy({}, { priority: 1 }), "changed"],
  ["another label is a change", policy({}), policy({ labels: { a: "b" } }), "changed"],
  [
    "what the server counts is none",
    policy({ generation: 1 }),
    policy({ generation: 2, resourceVersion: "2" }),
    undefined,
  ],
  [
    "what kubectl notes for itself is none",
    policy({}),
    policy({ annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" } }),
    undefined,
  ],
] as const)("%s", (_, before, after, expected) => {
  expect(editEffect(before, after)).toBe(expected);
});
