import { expect, test } from "vitest";
import type { Binding } from "#api/work/resource-binding.ts";
import { decideQuota } from "./binding-quota.ts";
import { bindingErrors, boundNamespaceErrors } from "./validate-binding.ts";

const bindingOf = (kind: Binding["kind"], spec: object, annotations: Record<string, string> = {}): Binding => ({
  apiVersion: "work.karmada.io/v1alpha2",
  kind,
  metadata: {
    name: "b",
    namespace: "shop",
    uid: "u",
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
    annotations,
  },
  spec: { resource: { apiVersion: "v1", kind: "Pod", name: "a" }, conflictResolution: "Abort", ...spec },
});

for (const kind of ["ResourceBinding", "ClusterResourceBinding"] as const) {
  test.each([
    ["[]", true],
    ["[", false],
    ["", false],
  ])(`${kind}: dependencies %j are JSON: %s`, (text, legal) => {
    const binding = bindingOf(kind, {}, { "resourcebinding.karmada.io/dependencies": text });
    const paths = bindingErrors(binding, { components: false }).map(({ path }) => path);
    expect(paths).toEqual(legal ? [] : ["metadata.annotations.resourcebinding.karmada.io/dependencies"]);
  });

  test(`${kind}: components have names of their own, where they count`, () => {
    const components = ["a", "", "a"].map((name) => ({ name, replicas: 1 }));
    const binding = bindingOf(kind, { components });
    expect(bindingErrors(binding, { components: false })).toEqual([]);
    const paths = bindingErrors(binding, { components: true }).map(({ path }) => path);
    expect(paths).toEqual(["spec.components[1].name", "spec.components[2].name"]);
  });
}

test.each([
  ["ResourceBinding", "shop", "shop", undefined],
  ["ResourceBinding", "shop", "bank", 'must be the namespace of the binding, "shop"'],
  ["ResourceBinding", "shop", undefined, 'must be the namespace of the binding, "shop"'],
  ["ClusterResourceBinding", undefined, undefined, undefined],
  ["ClusterResourceBinding", undefined, "bank", "a ClusterResourceBinding is of a cluster-scoped object"],
] as const)("%s in %s of an object in %s: %s", (kind, namespace, bound, detail) => {
  const resource = { apiVersion: "v1", kind: "Secret", name: "a", ...(bound !== undefined && { namespace: bound }) };
  const { metadata, ...rest } = bindingOf(kind, { resource });
  const { namespace: _, ...others } = metadata;
  const binding = { ...rest, metadata: { ...others, ...(namespace !== undefined && { namespace }) } };
  const errors = boundNamespaceErrors(binding);
  expect(errors.map((each) => [each.path, each.detail])).toEqual(
    detail === undefined ? [] : [["spec.resource.namespace", detail]],
  );
});

test("a binding without a spec, or with its defaults alone, is of nothing", () => {
  const { spec: _, ...binding } = bindingOf("ResourceBinding", {});
  expect(boundNamespaceErrors(binding as Binding)).toEqual([]);
  const spec = { conflictResolution: "Abort", resource: {} } as Binding["spec"]; // as the server completes it
  expect(boundNamespaceErrors({ ...binding, spec } as Binding)).toEqual([]);
});

test("a quota that another quota's refusal leaves behind is not counted", () => {
  const binding = bindingOf("ResourceBinding", {
    clusters: [{ name: "m1", replicas: 2 }],
    replicaRequirements: { resourceRequest: { cpu: "1", memory: "1Gi" } },
  });
  const quota = (name: string, overall: Record<string, string>) => ({
    metadata: { name, namespace: "shop" },
    spec: { overall },
  });
  const decide = (...quotas: ReturnType<typeof quota>[]) => decideQuota({ binding, old: undefined, quotas });
  expect(decide(quota("a", { cpu: "9" }), quota("b", { memory: "1Gi" }))).toEqual({
    allowed: false,
    message: "FederatedResourceQuota(shop/b) exceeded for resource memory: requested sum 2Gi, limit 1Gi.",
  });
  const roomy = decide(quota("a", { cpu: "9" }), quota("b", { memory: "4Gi" }));
  expect(roomy.allowed && roomy.used.map(({ overallUsed }) => overallUsed)).toEqual([{ cpu: "2" }, { memory: "2Gi" }]);
});
