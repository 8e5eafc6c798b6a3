import { expect, test } from "vitest";
import type { Draft } from "#api/meta/object-meta.ts";
import { mutatePropagationPolicy } from "./mutate-propagation-policy.ts";

const id = "11111111-1111-4111-8111-111111111111";
const web = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const scopes = [
  { kind: "PropagationPolicy", namespace: "shop" },
  { kind: "ClusterPropagationPolicy", namespace: undefined },
];

function draftOf({ kind, namespace }: (typeof scopes)[number], spec: unknown, metadata: object = {}): Draft {
  const named = { name: "p", ...(namespace !== undefined && { namespace }), ...metadata };
  return { apiVersion: "policy.karmada.io/v1alpha1", kind, metadata: named, spec };
}

for (const scope of scopes) {
  const completed = (spec: unknown, created = true) => {
    const policy = draftOf(scope, spec);
    mutatePropagationPolicy(policy, { created, id });
    return policy["spec"];
  };

  test.each<[string, object, object]>([
    [
      "a constraint that says nothing spreads over clusters, one at least",
      {
        placement: {
          spreadConstraints: [{}, { spreadByLabel: "a", minGroups: 0 }, { spreadByField: "zone", minGroups: 3 }],
        },
      },
      {
        placement: {
          spreadConstraints: [
            { spreadByField: "cluster", minGroups: 1 },
            { spreadByLabel: "a", minGroups: 1 },
            { spreadByField: "zone", minGroups: 3 },
          ],
        },
      },
    ],
    [
      "divided replicas are weighted unless something else is said",
      { placement: { replicaScheduling: { replicaSchedulingType: "Divided" } } },
      { placement: { replicaScheduling: { replicaSchedulingType: "Divided", replicaDivisionPreference: "Weighted" } } },
    ],
    [
      "duplicated replicas have no preference",
      { placement: { replicaScheduling: { replicaSchedulingType: "Duplicated" } } },
      { placement: { replicaScheduling: { replicaSchedulingType: "Duplicated" } } },
    ],
    [
      "a graceful failover waits ten minutes",
      { failover: { application: { purgeMode: "Gracefully" } } },
      { failover: { application: { purgeMode: "Gracefully", gracePeriodSeconds: 600 } } },
    ],
    [
      "other failovers wait for nothing",
      { failover: { application: { purgeMode: "Directly" } } },
      { failover: { application: { purgeMode: "Directly" } } },
    ],
  ])(`${scope.kind}: %s`, (_name, given, expected) => {
    expect(completed({ ...given, resourceSelectors: [] })).toEqual({ ...expected, resourceSelectors: [] });
  });

  test(`${scope.kind}: an imported service takes its slices along`, () => {
    const imported = { apiVersion: "multicluster.x-k8s.io/v1alpha1", kind: "ServiceImport" };
    expect(completed({ resourceSelectors: [web, imported], propagateDeps: false })).toMatchObject({
      propagateDeps: true,
    });
    expect(completed({ resourceSelectors: [web] })).not.toHaveProperty("propagateDeps");
  });

  test(`${scope.kind}: selectors get the policy's own namespace, excludes stay as they are`, () => {
    const spec = completed({ resourceSelectors: [web], excludeResourceSelectors: [web] });
    const own = scope.namespace === undefined ? web : { ...web, namespace: scope.namespace };
    expect(spec).toEqual({ resourceSelectors: [own], excludeResourceSelectors: [web] });
  });

  test(`${scope.kind}: only a new policy gets an identity, and always a fresh one`, () => {
    const label = `${scope.kind.toLowerCase()}.karmada.io/permanent-id`;
    const policy = draftOf(scope, {}, { labels: { [label]: "stolen" } });
    mutatePropagationPolicy(policy, { created: true, id });
    const again = structuredClone(policy);
    mutatePropagationPolicy(again, { created: true, id });
    expect(again).toEqual(policy);
    expect(policy.metadata.labels).toEqual({ [label]: id });
    expect(policy.metadata.finalizers).toHaveLength(1);
    const updated = draftOf(scope, {});
    mutatePropagationPolicy(updated, { created: false, id });
    expect(updated.metadata).toEqual(draftOf(scope, {}).metadata);
  });

  test.each([
    undefined,
    null,
    3,
    [],
    { resourceSelectors: { a: 1 } },
    { placement: { spreadConstraints: [null, 1] } },
    { failover: 1 },
  ])(`${scope.kind}: a spec of another shape is left to the schema: %j`, (spec) => {
    expect(completed(structuredClone(spec))).toEqual(spec);
  });
}
