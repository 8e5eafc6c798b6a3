import fc from "fast-check";
import { expect, test } from "vitest";
import { mutateBinding } from "#admission/mutate-binding.ts";
import { mutateCluster } from "#admission/mutate-cluster.ts";
import { mutateOverridePolicy } from "#admission/mutate-override-policy.ts";
import { mutatePropagationPolicy } from "#admission/mutate-propagation-policy.ts";
import { mutateWork } from "#admission/mutate-work.ts";
import type { Draft } from "#api/meta/object-meta.ts";
import { pruneManifest } from "#interpreter/prune-manifest.ts";

const id = "11111111-1111-4111-8111-111111111111";
const now = "2026-08-01T12:00:00Z";
const prune = (manifest: Parameters<typeof pruneManifest>[0]) => pruneManifest(manifest);

const families: readonly [string, (draft: Draft) => unknown][] = [
  ["PropagationPolicy", (draft) => mutatePropagationPolicy(draft, { created: true, id })],
  ["ClusterPropagationPolicy", (draft) => mutatePropagationPolicy(draft, { created: true, id })],
  ["OverridePolicy", mutateOverridePolicy],
  ["ResourceBinding", (draft) => mutateBinding(draft, { id })],
  ["ClusterResourceBinding", (draft) => mutateBinding(draft, { id })],
  ["Work", (draft) => mutateWork(draft, { id, prune })],
  ["Cluster", (draft) => mutateCluster(draft, { created: true, now, resourceModeling: true })],
];

/** Any JSON whose keys are often those that mutation looks for. */
const key = fc.oneof(
  fc.constantFrom("spec", "workload", "manifests", "metadata", "labels", "annotations", "kind", "resourceSelectors"),
  fc.constantFrom(
    "placement",
    "spreadConstraints",
    "replicaScheduling",
    "failover",
    "application",
    "namespace",
    "name",
  ),
  fc.constantFrom("taints", "zone", "zones", "resourceModels", "ranges", "grade", "secrets", "selector", "template"),
  fc.constantFrom("__proto__", "constructor", "toString"),
);
const leaf = fc.oneof(
  fc.constantFrom("Job", "Secret", "Service", "ServiceAccount", "PersistentVolumeClaim", "Deployment", "NoExecute", ""),
  fc.constantFrom(null, true, 0, 1.5),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    leaf,
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(key, tie("json"), { maxKeys: 4 }),
  ),
}));
const manifest = fc.dictionary(key, json).map((fields) => ({ ...fields, spec: { workload: { manifests: [fields] } } }));

test.each(families)("completing a %s of any shape never fails, and doing it again changes nothing", (kind, mutate) => {
  fc.assert(
    fc.property(fc.oneof(json, manifest), (given) => {
      const spec = typeof given === "object" && given !== null && "spec" in given ? given.spec : given;
      const draft: Draft = { apiVersion: "x/v1", kind, metadata: { name: "a", namespace: "b" }, spec };
      mutate(draft);
      const once = structuredClone(draft);
      mutate(draft);
      expect(draft).toEqual(once);
    }),
  );
});
