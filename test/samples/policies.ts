import fc from "fast-check";
import type { Policy } from "#api/policy/propagation-policy.ts";
import type { ExcludeResourceSelector, ResourceSelector } from "#api/policy/resource-selector.ts";
import type { Template } from "#selection/template.ts";

/** What a test says of a policy; the rest is as the API server fills it. */
export interface PolicySketch {
  readonly name: string;
  readonly namespace?: string;
  readonly priority?: number;
  readonly preemption?: "Always" | "Never";
  readonly selectors?: readonly ResourceSelector[];
  readonly excludes?: readonly ExcludeResourceSelector[];
  readonly deleted?: boolean;
}

/** A policy of either scope. */
export function policyOf(sketch: PolicySketch): Policy {
  const { name, namespace, priority = 0, preemption = "Never", selectors = [], excludes } = sketch;
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: namespace === undefined ? "ClusterPropagationPolicy" : "PropagationPolicy",
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid: `uid-${name}`,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...(sketch.deleted === true && { deletionTimestamp: "2026-01-02T00:00:00Z" }),
    },
    spec: {
      resourceSelectors: selectors,
      ...(excludes !== undefined && { excludeResourceSelectors: excludes }),
      priority,
      preemption,
      schedulerName: "default-scheduler",
      conflictResolution: "Abort",
    },
  };
}

const types = fc.constantFrom(
  { apiVersion: "apps/v1", kind: "Deployment" },
  { apiVersion: "v1", kind: "ConfigMap" },
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole" },
);
const name = fc.constantFrom("a", "b", "web");
const namespace = fc.constantFrom("default", "user1", "user1-a", "user10", "team-b");
const labels = fc.dictionary(fc.constantFrom("app", "tier"), fc.constantFrom("x", "y"), { maxKeys: 2 });
const pattern = fc.oneof(namespace, fc.constantFrom("user1*", "user1-*", "default, team-*", "u*,default"));
const labelSelector = fc.oneof(
  fc.record({ matchLabels: labels }),
  fc.record({
    matchExpressions: fc.constantFrom(
      [{ key: "app", operator: "In", values: ["x"] }],
      [{ key: "app", operator: "NotIn", values: ["x"] }],
      [{ key: "tier", operator: "Exists" }],
    ),
  }),
);

/** Some template of a few kinds, namespaces and names. */
export const anyTemplate: fc.Arbitrary<Template> = fc
  .tuple(types, name, namespace, labels)
  .map(([type, name, namespace, labels]) => ({
    ...type,
    name,
    labels,
    ...(type.kind !== "ClusterRole" && { namespace }),
  }));

const anySelector: fc.Arbitrary<ResourceSelector> = fc
  .tuple(
    types,
    fc.record({ name, namespace: pattern, labelSelector }, { requiredKeys: [] }),
    fc.option(fc.record({ namespace: pattern, name }, { requiredKeys: [] }), { nil: undefined, freq: 4 }),
  )
  .map(([type, rest, exclude]) => ({ ...type, ...rest, ...(exclude !== undefined && { exclude }) }));

/** Some policy of either scope, excludes included. */
export const anyPolicy: fc.Arbitrary<Policy> = fc
  .record({
    name: fc.constantFrom("p1", "p2", "p3", "p4", "p5", "p6"),
    home: fc.option(namespace, { nil: undefined }),
    priority: fc.integer({ min: -1, max: 2 }),
    selectors: fc.array(anySelector, { minLength: 1, maxLength: 3 }),
    excludes: fc.array(
      fc.tuple(types, pattern).map(([type, namespace]) => ({ ...type, namespace })),
      { maxLength: 1 },
    ),
  })
  .map(({ home, ...sketch }) => policyOf({ ...sketch, ...(home !== undefined && { namespace: home }) }));
