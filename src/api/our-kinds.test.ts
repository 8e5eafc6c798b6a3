import { expect, test } from "vitest";
import type { JsonObject } from "#base/json.ts";
import { applyDefaults } from "#schema/default-fields.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { findSchemaErrors } from "#schema/structural-schema.ts";
import { validateFields } from "#schema/validate-fields.ts";
import type { WorkloadRebalancer } from "./apps/workload-rebalancer.ts";
import type { Cluster } from "./cluster/cluster.ts";
import type { ResourceInterpreterCustomization } from "./config/resource-interpreter-customization.ts";
import { crdOf } from "./crd-of.ts";
import type { Kind, WriteKind } from "./kind.ts";
import type { ObjectMeta } from "./meta/object-meta.ts";
import { ourKinds } from "./our-kinds.ts";
import type { Override } from "./policy/override-policy.ts";
import { type Policy, PropagationPolicies } from "./policy/propagation-policy.ts";
import { type Binding, ResourceBindings } from "./work/resource-binding.ts";
import type { Work } from "./work/work.ts";

for (const kind of ourKinds) {
  test(`${kind.kind} is published as a definition that Kubernetes takes`, () => {
    const crd = crdOf(kind);
    expect(crd["metadata"]).toEqual({ name: `${kind.plural}.${kind.group}` });
    expect(findSchemaErrors(publishedSchema(crd), "schema")).toEqual([]);
  });

  test(`${kind.kind} says of every field what it means`, () => {
    expect([...silentFields(kind.schema, "")]).toEqual(["metadata"]);
  });
}

test("kinds are told apart by their names", () => {
  const names = ourKinds.flatMap(({ plural, kind, shortNames }) => [plural, kind, ...shortNames]);
  expect(new Set(names).size).toBe(names.length);
});

test("what is read has the defaults that the types promise", () => {
  for (const kind of [PropagationPolicies.namespaced, PropagationPolicies.cluster]) {
    const policy = { ...written(kind), spec: { resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap" }] } };
    applyDefaults(policy, kind.schema);
    expect(validateFields(policy, kind.schema)).toEqual([]);
    const read = policy as unknown as Policy; // as the API server would hand it out
    const { priority, preemption, conflictResolution, schedulerName } = read.spec;
    expect([priority, preemption, conflictResolution, schedulerName]).toEqual([
      0,
      "Never",
      "Abort",
      "default-scheduler",
    ]);
  }
});

test("a binding that is written without spec names nothing", () => {
  const binding = written(ResourceBindings.namespaced);
  applyDefaults(binding, ResourceBindings.namespaced.schema);
  expect(validateFields(binding, ResourceBindings.namespaced.schema)).toEqual([]);
  const read = binding as unknown as Binding; // as the API server would hand it out
  expect(read.spec).toEqual({ resource: { apiVersion: "", kind: "", name: "" }, conflictResolution: "Abort" });
});

test("a family knows the traits of both twins and where an object of a namespace belongs", () => {
  const { traits, kindFor, namespaced, cluster } = PropagationPolicies;
  expect(traits.PropagationPolicy.finalizer).toBe("karmada.io/propagation-policy-controller");
  expect(traits.ClusterPropagationPolicy.finalizer).toBe("karmada.io/cluster-propagation-policy-controller");
  expect([kindFor("shop"), kindFor(undefined)]).toEqual([namespaced, cluster]);
});

test("an object's kind tells its twin", () => {
  const nameOf = (policy: Policy): "PropagationPolicy" | "ClusterPropagationPolicy" => policy.kind;
  // @ts-expect-error a policy is of one of two kinds
  const wrong: Policy["kind"] = "OverridePolicy";
  expect([typeof nameOf, wrong]).toEqual(["function", "OverridePolicy"]);
});

test("objects that the compiler takes are objects that the schema takes", () => {
  const metadata: ObjectMeta = { name: "x", uid: "1", resourceVersion: "1", creationTimestamp: "2024-01-01T00:00:00Z" };
  const policy: WriteKind<typeof PropagationPolicies.namespaced> = {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "x" },
    spec: { resourceSelectors: [{ apiVersion: "v1", kind: "Secret", exclude: { name: "y" } }] },
  };
  const override: Override = {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "ClusterOverridePolicy",
    metadata,
    spec: { overrideRules: [{ overriders: { plaintext: [{ path: "/a", operator: "add", value: [1] }] } }] },
  };
  const work: Work = {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata,
    spec: { workload: { manifests: [{ kind: "ConfigMap" }] }, suspendDispatching: true },
  };
  const cluster: Cluster = {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata,
    spec: { syncMode: "Push", resourceModels: [{ grade: 0, ranges: [{ name: "cpu", min: 0, max: "1" }] }] },
    status: { resourceSummary: { allocatable: { cpu: "4" } } },
  };
  const rebalancer: WorkloadRebalancer = {
    apiVersion: "apps.karmada.io/v1alpha1",
    kind: "WorkloadRebalancer",
    metadata,
    spec: { workloads: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }] },
  };
  const customization: ResourceInterpreterCustomization = {
    apiVersion: "config.karmada.io/v1alpha1",
    kind: "ResourceInterpreterCustomization",
    metadata,
    spec: { target: { apiVersion: "v1", kind: "X" }, customizations: { retention: { luaScript: "" } } },
  };
  for (const object of [policy, override, work, cluster, rebalancer, customization]) {
    const { schema } = ourKinds.find(({ kind }) => kind === object.kind)!;
    expect(validateFields(object, schema), object.kind).toEqual([]);
  }
});

function written(kind: Kind) {
  return { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata: { name: "x" } };
}

function publishedSchema(crd: JsonObject): unknown {
  const { versions } = crd["spec"] as { versions: readonly { schema: { openAPIV3Schema: unknown } }[] };
  return versions[0]?.schema.openAPIV3Schema;
}

/** Fields without a description; items and map values that are plain strings need none. */
function* silentFields(node: SchemaNode, path: string): Generator<string> {
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    const place = path === "" ? name : `${path}.${name}`;
    if (child.description === undefined) yield place;
    yield* silentFields(child, place);
  }
  if (node.items !== undefined) yield* silentFields(node.items, `${path}[]`);
  if (typeof node.additionalProperties === "object") yield* silentFields(node.additionalProperties, `${path}.*`);
}
