import fc from "fast-check";
import { expect, test } from "vitest";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";
import { deepFreeze } from "#test/world/deep-freeze.ts";
import { aggregateBindingStatus } from "./aggregate-binding.ts";

const twins = [
  { kind: "ResourceBinding", idLabel: "resourcebinding.karmada.io/permanent-id", namespace: "default" },
  { kind: "ClusterResourceBinding", idLabel: "clusterresourcebinding.karmada.io/permanent-id", namespace: undefined },
] as const;
const stamp = { uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };

function bindingOf({ kind, idLabel, namespace }: (typeof twins)[number], clusters: readonly string[]): Binding {
  return {
    apiVersion: "work.karmada.io/v1alpha2",
    kind,
    metadata: { ...stamp, name: "web", labels: { [idLabel]: "id" }, ...(namespace !== undefined && { namespace }) },
    spec: {
      resource: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        name: "web",
        ...(namespace !== undefined && { namespace }),
      },
      clusters: clusters.map((name) => ({ name })),
      conflictResolution: "Abort",
    },
  };
}

function workOf({ idLabel, namespace }: (typeof twins)[number], cluster: string): Work {
  const metadata = { name: "web", ...(namespace !== undefined && { namespace }) };
  return {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { ...stamp, name: "w", namespace: `karmada-es-${cluster}`, labels: { [idLabel]: "id" } },
    spec: { workload: { manifests: [{ apiVersion: "apps/v1", kind: "Deployment", metadata }] } },
    status: {
      conditions: [
        {
          type: "Applied",
          status: "True",
          reason: "AppliedSuccessful",
          message: "",
          lastTransitionTime: stamp.creationTimestamp,
        },
      ],
    },
  };
}

const [early, late] = ["2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z"];

test.each(twins)(
  "of a $kind: all works applied, in any order, is fully applied, and saying it again changes nothing",
  (twin) => {
    fc.assert(
      fc.property(fc.shuffledSubarray(["m1", "m2", "m3", "m10"], { minLength: 1 }), (clusters) => {
        const binding = deepFreeze(bindingOf(twin, clusters));
        const works = deepFreeze(clusters.map((cluster) => workOf(twin, cluster)));
        const first = aggregateBindingStatus(binding, { works, now: early });
        if (!first.ok) throw new Error(first.message);
        expect(first.value.conditions).toMatchObject([
          { type: "FullyApplied", status: "True", lastTransitionTime: early },
        ]);
        expect(first.value.aggregatedStatus?.map(({ clusterName }) => clusterName)).toEqual(clusters.toSorted());
        const again = aggregateBindingStatus(
          { ...binding, status: first.value },
          { works: works.toReversed(), now: late },
        );
        expect(again).toEqual(first);
      }),
    );
  },
);

test.each(twins)("of a $kind: a work that is missing, strange or on its way out makes it not fully applied", (twin) => {
  const leaving = { ...workOf(twin, "m2"), metadata: { ...workOf(twin, "m2").metadata, deletionTimestamp: early } };
  for (const works of [[workOf(twin, "m1")], [workOf(twin, "m1"), leaving], [workOf(twin, "m1"), workOf(twin, "m3")]]) {
    const status = aggregateBindingStatus(bindingOf(twin, ["m1", "m2"]), { works, now: early });
    expect(status).toMatchObject({ ok: true, value: { conditions: [{ status: "False" }] } });
  }
});
