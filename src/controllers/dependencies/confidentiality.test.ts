import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { ObjectIndex } from "#runtime/object-index.ts";
import { decideAttachedBinding, type PutBinding } from "./decide-attached-binding.ts";
import { dependencySlotsOf, isReferrer, needsObject, slotsOfObject } from "./referrers.ts";

const namespace = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b") },
  { weight: 1, arbitrary: fc.constantFrom("karmada-cluster", "karmada-es-m1", "kube-system", undefined) },
);
const mostly = (value: boolean) => fc.integer({ min: 1, max: 6 }).map((n) => (n > 1 ? value : !value));
const kind = fc.constantFrom("Secret", "ConfigMap", "ServiceAccount");
const name = fc.constantFrom("x", "x", "x", "default", "kube-root-ca.crt");
const labels = fc.dictionary(fc.constantFrom("app", "tier"), fc.constantFrom("1", "2"), { maxKeys: 2 });
const secretTypes = ["Opaque", "kubernetes.io/service-account-token", "bootstrap.kubernetes.io/token"] as const;

const object = fc
  .record({ kind, namespace, name, labels, type: fc.constantFrom(...secretTypes) })
  .map(({ kind, namespace, name, labels, type }): ApiObject => {
    const metadata = { name, ...(namespace !== undefined && { namespace }), labels, uid: "u", resourceVersion: "1" };
    return { apiVersion: "v1", kind, metadata: { ...metadata, creationTimestamp: "" }, type };
  });

const selector = fc.oneof(
  fc.record({ matchLabels: labels }),
  fc.constantFrom(
    { matchExpressions: [{ key: "app", operator: "Exists" }] },
    { matchExpressions: [{ key: "app", operator: "In", values: ["1"] }] },
    { matchExpressions: [{ key: "tier", operator: "NotIn", values: ["1"] }] },
  ),
);
/** Whatever a pod spec, a script or a hand may have put into the annotation. */
const dependency = fc.oneof(
  { weight: 5, arbitrary: fc.record({ apiVersion: fc.constant("v1"), kind, namespace, name }) },
  { weight: 3, arbitrary: fc.record({ apiVersion: fc.constant("v1"), kind, namespace, labelSelector: selector }) },
  { weight: 1, arbitrary: fc.json().map((text): unknown => JSON.parse(text)) },
);

const cluster = fc.constantFrom("m1", "m2", "m3");
const binding = fc
  .record({
    namespace: fc.constantFrom("a", "b", undefined),
    name: fc.constantFrom("p", "q", "r"),
    dependencies: fc.array(dependency, { minLength: 1, maxLength: 4 }),
    clusters: fc.uniqueArray(cluster, { maxLength: 3 }),
    propagateDeps: mostly(true),
    deleted: mostly(false),
  })
  .map(({ namespace, name, dependencies, clusters, propagateDeps, deleted }): Binding => {
    const metadata = {
      name: `${name}-deployment`,
      ...(namespace !== undefined && { namespace }),
      labels: {},
      annotations: { "resourcebinding.karmada.io/dependencies": JSON.stringify(dependencies) },
      ...(deleted && { deletionTimestamp: "2026-11-15T00:00:00Z" }),
    };
    const resource = { apiVersion: "apps/v1", kind: "Deployment", namespace, name };
    const spec = { resource, propagateDeps, clusters: clusters.map((each) => ({ name: each })) };
    return {
      kind: namespace === undefined ? "ClusterResourceBinding" : "ResourceBinding",
      metadata,
      spec,
    } as unknown as Binding;
  });

const reserved = /^(karmada-cluster|karmada-es-|kube-)/;

/** What is wrong with where an object would go; empty when it is well. */
function leaks({ kind, metadata, type }: ApiObject, wanted: Binding, all: readonly Binding[]): readonly string[] {
  const { namespace, name } = metadata;
  const followed = wanted.spec.requiredBy ?? [];
  const at = (each: (typeof followed)[number]) =>
    all.find(({ metadata: own }) => own.name === each.name && own.namespace === each.namespace);
  return [
    ...(reserved.test(namespace ?? "") ? ["it is in a namespace of the system"] : []),
    ...(kind === "Secret" && type !== "Opaque" ? [`it is a ${String(type)}`] : []),
    ...(kind === "ServiceAccount" && name === "default" ? ["it is the default account"] : []),
    ...(kind === "ConfigMap" && name === "kube-root-ca.crt" ? ["it is the root certificate"] : []),
    ...followed.flatMap((each) => {
      const referrer = at(each);
      if (referrer === undefined || !isReferrer(referrer)) return ["it follows what is no referrer"];
      const isForeign = each.namespace !== namespace && (kind === "Secret" || each.namespace !== undefined);
      const runs = new Set(referrer.spec.clusters?.map((target) => target.name));
      const elsewhere = (each.clusters ?? []).filter((target) => !runs.has(target.name));
      return [
        ...(isForeign ? [`it follows something of ${each.namespace}`] : []),
        ...elsewhere.map((target) => `it goes to ${target.name}, where its referrer is not`),
      ];
    }),
  ];
}

test("whatever is referred to by whom, a Secret goes only where a referrer of its own namespace runs, credentials nowhere", () => {
  let followed = 0;
  fc.assert(
    fc.property(
      fc.array(object, { minLength: 2, maxLength: 5 }),
      fc.uniqueArray(binding, {
        minLength: 1,
        maxLength: 5,
        selector: ({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name}`,
      }),
      (objects, bindings) => {
        const index = new ObjectIndex<ApiObject>({ needs: dependencySlotsOf });
        for (const each of bindings)
          index.put(`${each.metadata.namespace}/${each.metadata.name}`, each as unknown as ApiObject);
        for (const each of objects) {
          const meant = bindings.filter((one) => isReferrer(one) && needsObject(one, each));
          // found by index is found by looking at all
          const candidates = new Set(slotsOfObject(each).flatMap((slot) => index.byIndex("needs", slot)));
          expect(meant.filter((one) => !candidates.has(one as unknown as ApiObject))).toEqual([]);
          const facts = { object: each, binding: undefined, referrers: meant, mode: "follow" as const };
          const { steps } = decideAttachedBinding({ ...facts, conflict: undefined, formerConflict: undefined });
          for (const step of steps) expect(leaks(each, (step as PutBinding).wanted, bindings)).toEqual([]);
          followed += steps.length;
        }
      },
    ),
    { numRuns: 10_000 },
  );
  expect(followed).toBeGreaterThan(2_000); // else nothing was tried
});
