import fc from "fast-check";
import { expect, test } from "vitest";
import type { Manifest } from "#api/meta/manifest.ts";
import type { Override } from "#api/policy/override-policy.ts";
import type { Overriders } from "#api/policy/overriders.ts";
import { deepFreeze } from "#test/world/deep-freeze.ts";
import { appliedOverrides } from "./applied-overrides.ts";
import { applyOverrides as applyPrepared } from "./apply-overrides.ts";
import { prepareOverride } from "./prepared-override.ts";

const applyOverrides = (manifest: Manifest, { policies }: { readonly policies: readonly Override[] }) =>
  applyPrepared(manifest, { overrides: policies.map(prepareOverride), cluster });

const cluster = { metadata: { name: "m1" }, spec: {} };
const web: Manifest = deepFreeze({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    namespace: "default",
    labels: { app: "web", "propagationpolicy.karmada.io/permanent-id": "id" },
    annotations: { "work.karmada.io/name": "w" },
  },
  spec: { template: { spec: { containers: [{ name: "web", image: "registry.local/web:1" }] } } },
});

function overrideOf(
  name: string,
  overriders: Overriders,
  more: { namespace?: string; target?: string } = {},
): Override {
  const { namespace, target } = more;
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: namespace === undefined ? "ClusterOverridePolicy" : "OverridePolicy",
    metadata: {
      name,
      uid: name,
      resourceVersion: "1",
      creationTimestamp: "",
      ...(namespace !== undefined && { namespace }),
    },
    spec: {
      overrideRules: [{ overriders, ...(target !== undefined && { targetCluster: { clusterNames: [target] } }) }],
    },
  };
}

const label = (value: string): Overriders => ({ labelsOverrider: [{ operator: "add", value: { tier: value } }] });

/** Ways to make another object of it, or to take it for the system's: each must fail at render. */
const rewrites: Readonly<Record<string, Overriders>> = {
  "apiVersion by plain text": { plaintext: [{ path: "/apiVersion", operator: "replace", value: "v2" }] },
  "apiVersion removed": { plaintext: [{ path: "/apiVersion", operator: "remove" }] },
  "kind by plain text": { plaintext: [{ path: "/kind", operator: "replace", value: "Secret" }] },
  "kind removed": { plaintext: [{ path: "/kind", operator: "remove" }] },
  "the name by plain text": { plaintext: [{ path: "/metadata/name", operator: "replace", value: "x" }] },
  "the name by a path without its slash": { plaintext: [{ path: "x/metadata/name", operator: "replace", value: "x" }] },
  "the name by an image overrider": {
    imageOverrider: [{ predicate: { path: "/metadata/name" }, component: "Tag", operator: "replace", value: "x" }],
  },
  "the namespace by plain text": {
    plaintext: [{ path: "/metadata/namespace", operator: "replace", value: "kube-system" }],
  },
  "the namespace removed": { plaintext: [{ path: "/metadata/namespace", operator: "remove" }] },
  "all metadata at once": {
    plaintext: [{ path: "/metadata", operator: "replace", value: { name: "x", namespace: "default" } }],
  },
  "the whole object": {
    plaintext: [
      { path: "", operator: "replace", value: { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } } },
    ],
  },
  "the whole object by add": {
    plaintext: [{ path: "", operator: "add", value: { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } } }],
  },
  "a list in its place": { plaintext: [{ path: "", operator: "replace", value: [] }] },
  "metadata that is no object": { plaintext: [{ path: "/metadata", operator: "replace", value: "x" }] },
  "an owner": { plaintext: [{ path: "/metadata/ownerReferences", operator: "add", value: [{ kind: "Node" }] }] },
  "a finalizer": { plaintext: [{ path: "/metadata/finalizers", operator: "add", value: ["a/b"] }] },
  "a uid": { plaintext: [{ path: "/metadata/uid", operator: "add", value: "u" }] },
  "the system's label by plain text": {
    plaintext: [
      { path: "/metadata/labels/propagationpolicy.karmada.io~1permanent-id", operator: "replace", value: "x" },
    ],
  },
  "the system's label removed": {
    labelsOverrider: [{ operator: "remove", value: { "propagationpolicy.karmada.io/permanent-id": "" } }],
  },
  "the mark of managed objects": { labelsOverrider: [{ operator: "add", value: { "karmada.io/managed": "false" } }] },
  "the system's annotation": {
    annotationsOverrider: [{ operator: "replace", value: { "work.karmada.io/name": "x" } }],
  },
  "all labels at once": { plaintext: [{ path: "/metadata/labels", operator: "replace", value: { app: "x" } }] },
};

test.each(Object.entries(rewrites))("%s is refused at render, by policies of either scope", (_name, overriders) => {
  for (const policy of [overrideOf("p", overriders), overrideOf("p", overriders, { namespace: "default" })]) {
    expect(applyOverrides(web, { policies: [policy] })).toMatchObject({
      ok: false,
      rule: { policy: { metadata: { name: "p" } } },
    });
  }
});

test("users' own labels and their instructions to the system are theirs to override", () => {
  const overriders: Overriders = {
    labelsOverrider: [{ operator: "add", value: { app: "x", "resourcetemplate.karmada.io/retain-replicas": "true" } }],
  };
  const result = applyOverrides(web, { policies: [overrideOf("p", overriders)] });
  expect(result.ok && result.manifest.metadata.labels).toMatchObject({
    app: "x",
    "resourcetemplate.karmada.io/retain-replicas": "true",
  });
});

test("which rules applied and which did not is told, with the reason", () => {
  const policies = [
    overrideOf("a", label("a")),
    overrideOf("b", label("b"), { target: "m2" }),
    overrideOf("c", label("c"), { namespace: "default" }),
  ];
  const result = applyOverrides(web, { policies });
  if (!result.ok) throw new Error(result.message);
  expect(result.rules.map(({ policy, rule, skippedBy }) => [policy.metadata.name, rule, skippedBy])).toEqual([
    ["a", 0, undefined],
    ["b", 0, "clusterNames"],
    ["c", 0, undefined],
  ]);
  expect(result.manifest.metadata.labels?.["tier"]).toBe("c");
  expect(appliedOverrides(result.rules, "ClusterOverridePolicy")).toBe(
    '[{"policyName":"a","overriders":{"labelsOverrider":[{"operator":"add","value":{"tier":"a"}}]}}]',
  );
});

test("the result does not depend on the order of the policies, and no input is changed", () => {
  const policy = fc
    .record({
      name: fc.constantFrom("a", "b", "c", "d"),
      home: fc.constantFrom(undefined, "default", "other"),
      value: fc.string(),
    })
    .map(({ name, home, value }) => overrideOf(name, label(value), home === undefined ? {} : { namespace: home }));
  const policies = fc.uniqueArray(policy, { selector: ({ metadata }) => `${metadata.namespace}/${metadata.name}` });
  fc.assert(
    fc.property(policies, (given) => {
      const frozen = deepFreeze(given);
      expect(applyOverrides(web, { policies: frozen.toReversed() })).toEqual(applyOverrides(web, { policies: frozen }));
    }),
  );
});
