import { describe, expect, test } from "vitest";
import type { Override } from "#api/policy/override-policy.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import type { Json } from "#base/json.ts";
import { overridePolicyErrors } from "./validate-override-policy.ts";

describe.each([
  { kind: "OverridePolicy" as const, home: { namespace: "shop" } },
  { kind: "ClusterOverridePolicy" as const, home: {} },
])("$kind", ({ kind, home }) => {
  const judge = (spec: Override["spec"]) =>
    overridePolicyErrors({
      apiVersion: "policy.karmada.io/v1alpha1",
      kind,
      metadata: { name: "o", uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z", ...home },
      spec,
    });
  const judgeRule = (overriders: Overriders) => judge({ overrideRules: [{ overriders }] });
  const rule = "spec.overrideRules[0].overriders";
  const plain = (path: string, value?: Json) => ({
    plaintext: [
      {
        path,
        operator: value === undefined ? ("remove" as const) : ("replace" as const),
        ...(value !== undefined && { value }),
      },
    ],
  });

  test.each<[string, Overriders, string | undefined]>([
    ["the API version", plain("/apiVersion", "v2"), "apiVersion"],
    ["the kind", plain("/kind", "X"), "kind"],
    ["the name", plain("/metadata/name", "x"), "metadata.name"],
    ["the namespace", plain("/metadata/namespace", "x"), "metadata.namespace"],
    ["the namespace, taken away", plain("/metadata/namespace"), "metadata.namespace"],
    ["the owners, or one of them", plain("/metadata/ownerReferences/0", {}), "metadata.ownerReferences"],
    ["the name behind what a patch ignores", plain("x/metadata/name", "x"), "metadata.name"],
    ["the name, spelled with an escape", plain("/metadata/n~0ame", "x"), undefined],
    ["all metadata, taken away", plain("/metadata"), "metadata"],
    [
      "a label of the system",
      plain("/metadata/labels/karmada.io~1managed", "no"),
      "metadata.labels[karmada.io/managed]",
    ],
    [
      "an annotation of the system",
      plain("/metadata/annotations/work.karmada.io~1name"),
      "metadata.annotations[work.karmada.io/name]",
    ],
    [
      "all labels, with one of the system",
      plain("/metadata/labels", { "work.karmada.io/permanent-id": "x" }),
      "metadata.labels[work.karmada.io/permanent-id]",
    ],
    ["all labels, with the user's own", plain("/metadata/labels", { app: "x" }), undefined],
    ["a label of the user", plain("/metadata/labels/app", "x"), undefined],
    [
      "a label by which users instruct",
      plain("/metadata/labels/resourcetemplate.karmada.io~1retain-replicas", "true"),
      undefined,
    ],
    ["the replicas", plain("/spec/replicas", 2), undefined],
    ["a name further down", plain("/spec/metadata/name", "x"), undefined],
    [
      "a label of the system by the label overrider",
      { labelsOverrider: [{ operator: "remove", value: { "karmada.io/managed": "" } }] },
      "metadata.labels[karmada.io/managed]",
    ],
    [
      "an annotation of the system by the annotation overrider",
      { annotationsOverrider: [{ operator: "add", value: { "policy.karmada.io/applied-overrides": "[]" } }] },
      "metadata.annotations[policy.karmada.io/applied-overrides]",
    ],
    [
      "the name as an image",
      { imageOverrider: [{ predicate: { path: "/metadata/name" }, component: "Tag", operator: "add", value: "x" }] },
      "metadata.name",
    ],
    [
      "the name as a document",
      { fieldOverrider: [{ fieldPath: "/metadata/name", json: [{ subPath: "/a", operator: "remove" }] }] },
      "metadata.name",
    ],
  ])("overriding %s (ruling 21)", (_name, overriders, identity) => {
    const expected = identity === undefined ? [] : [`${identity} cannot be overridden`];
    expect(judgeRule(overriders).map(({ detail }) => detail)).toEqual(expected);
    expect(
      judge({ overriders }).map(({ detail }) => detail),
      "the deprecated form",
    ).toEqual(expected);
  });

  test.each<[string, Override["spec"], string[]]>([
    ["nothing at all", {}, []],
    ["rules and a target of old", { overrideRules: [], targetCluster: {} }, ["spec.targetCluster"]],
    [
      "a target of old that selects by an unknown field",
      { targetCluster: { fieldSelector: { matchExpressions: [{ key: "a", operator: "In" }] } } },
      ["spec.targetCluster.fieldSelector"],
    ],
    [
      "rules and overriders of old",
      { overrideRules: [], overriders: { plaintext: [{ path: "/a", operator: "remove" }] } },
      ["spec.overriders"],
    ],
    [
      "an exclude of nothing",
      { resourceSelectors: [{ apiVersion: "v1", kind: "Pod", ...home, exclude: {} }] },
      ["spec.resourceSelectors[0].exclude"],
    ],
    [
      "two errors in one rule",
      { overrideRules: [{ overriders: { fieldOverrider: [{ fieldPath: "a" }] } }] },
      [`${rule}.fieldOverrider[0]`, `${rule}.fieldOverrider[0].fieldPath`],
    ],
  ])("%s", (_name, spec, paths) => {
    expect(judge(spec).map(({ path }) => path)).toEqual(paths);
  });

  test("namespaces of selectors", () => {
    const inOthers = judge({ resourceSelectors: [{ apiVersion: "v1", kind: "Pod", namespace: "a-*,b" }] });
    expect(inOthers).toHaveLength(kind === "OverridePolicy" ? 1 : 0);
    expect(judge({ resourceSelectors: [{ apiVersion: "v1", kind: "Pod", namespace: "*" }] })).toHaveLength(1);
  });
});
