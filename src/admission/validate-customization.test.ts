import { expect, test } from "vitest";
import type { ResourceInterpreterCustomization } from "#api/config/resource-interpreter-customization.ts";
import { customizationErrors } from "./validate-customization.ts";

const scripts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { luaScript: "x" }]));
const customization = (name: string, kind: string, customizations: object): ResourceInterpreterCustomization => ({
  apiVersion: "config.karmada.io/v1alpha1",
  kind: "ResourceInterpreterCustomization",
  metadata: { name, uid: name, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: { target: { apiVersion: "example.com/v1", kind }, customizations },
});

test.each([
  ["another operation", customization("b", "A", scripts("retention")), []],
  ["the same operation of another kind", customization("b", "B", scripts("replicaResource")), []],
  ["the same operation", customization("b", "A", scripts("replicaResource")), ["spec.customizations.replicaResource"]],
  ["the same operation, empty", customization("b", "A", { replicaResource: { luaScript: "" } }), []],
  ["dependencies, which add up", customization("b", "A", scripts("dependencyInterpretation")), []],
  ["itself", customization("a", "A", scripts("replicaResource")), []],
])("beside a customization of %s", (_name, other, paths) => {
  const mine = customization("a", "A", scripts("replicaResource", "dependencyInterpretation"));
  expect(customizationErrors(mine, [other]).map(({ path }) => path)).toEqual(paths);
});
