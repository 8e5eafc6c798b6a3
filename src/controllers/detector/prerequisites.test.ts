import { describe, expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { missingOverrides, prerequisiteOf, prerequisitesOf, schedulePriorityOf } from "./prerequisites.ts";

const policy = (spec: object, namespace?: string): Policy =>
  ({ metadata: { name: "p", ...(namespace === undefined ? {} : { namespace }) }, spec }) as unknown as Policy; // what is read of it
const schedulePriority = { priorityClassSource: "KubePriorityClass", priorityClassName: "high" };

describe("the priority of a policy", () => {
  const valueOfClass = (name: string) => ({ high: 1_000, zero: 0 })[name];
  test.each([
    ["none, where it names no class", {}, true, { ok: true, value: undefined }],
    ["the value of its class", { schedulePriority }, true, { ok: true, value: 1_000 }],
    ["none, while the gate is off", { schedulePriority }, false, { ok: true, value: undefined }],
    [
      "zero is a value",
      { schedulePriority: { ...schedulePriority, priorityClassName: "zero" } },
      true,
      { ok: true, value: 0 },
    ],
    [
      "unknown, while there is no such class",
      { schedulePriority: { ...schedulePriority, priorityClassName: "low" } },
      true,
      { ok: false, missing: "PriorityClass low" },
    ],
  ])("is %s", (_, spec, isOn, expected) => {
    expect(schedulePriorityOf(policy(spec), { isOn, valueOfClass })).toEqual(expected);
  });
});

describe("the overrides that a policy depends on", () => {
  const present = new Set(["shop/a", "/a"]);
  const exists = ({ namespace = "", name }: { namespace?: string; name: string }) =>
    present.has(`${namespace}/${name}`);
  test.each([
    ["none are named", {}, "shop", []],
    ["all are there", { dependentOverrides: ["a"] }, "shop", []],
    ["one of its namespace is missing", { dependentOverrides: ["a", "b"] }, "shop", ["OverridePolicy shop/b"]],
    ["that of another namespace does not count", { dependentOverrides: ["a"] }, "bank", ["OverridePolicy bank/a"]],
    [
      "a cluster-scoped policy looks for cluster-scoped ones",
      { dependentOverrides: ["a", "b"] },
      undefined,
      ["ClusterOverridePolicy b"],
    ],
  ])("%s", (_, spec, namespace, expected) =>
    expect(missingOverrides(policy(spec, namespace), exists)).toEqual(expected),
  );
});

test.each([
  [{ kind: "OverridePolicy", metadata: { namespace: "shop", name: "a" } }, "shop"],
  [{ kind: "ClusterOverridePolicy", metadata: { name: "a" } }, undefined],
  [{ kind: "PriorityClass", metadata: { name: "high" } }, "shop"],
])("what appears is found under what its policies are kept under: %j", (object, namespace) => {
  const waiting = policy({ dependentOverrides: ["a"], schedulePriority }, namespace) as unknown as ApiObject;
  expect(prerequisitesOf(waiting)).toContain(prerequisiteOf(object as unknown as ApiObject));
});
