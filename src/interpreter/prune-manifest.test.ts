import fc from "fast-check";
import { expect, test } from "vitest";
import type { Manifest } from "#api/meta/manifest.ts";
import { deepFreeze } from "#test/world/deep-freeze.ts";
import { pruneManifest } from "./prune-manifest.ts";

const kinds = ["Deployment", "Job", "Secret", "Service", "ServiceAccount", "PersistentVolumeClaim", "ConfigMap"];
const anyManifest: fc.Arbitrary<Manifest> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    metadata: fc.record(
      {
        name: fc.constant("x"),
        uid: fc.string(),
        finalizers: fc.array(fc.string()),
        annotations: fc.dictionary(
          fc.constantFrom("deployment.kubernetes.io/revision", "kubernetes.io/service-account.uid", "mine"),
          fc.string(),
        ),
      },
      { requiredKeys: ["name"] },
    ),
    spec: fc.record(
      {
        clusterIP: fc.constantFrom("None", "10.0.0.1"),
        selector: fc.record({ matchLabels: fc.dictionary(fc.constantFrom("controller-uid", "app"), fc.string()) }),
        ttlSecondsAfterFinished: fc.nat(),
      },
      { requiredKeys: [] },
    ),
    // of two tokens in a row Karmada lets the second survive, so one is as many as a second pruning leaves alone
    secrets: fc.subarray([{ name: "a" }, { name: "x-token-1" }, { name: "b" }]),
    type: fc.constantFrom("Opaque", "kubernetes.io/service-account-token"),
    data: fc.dictionary(fc.string(), fc.string()),
    status: fc.object(),
  })
  .map((object) => ({ apiVersion: "v1", ...object }));

test("what was pruned is not pruned further, and no input is changed", () => {
  fc.assert(
    fc.property(anyManifest, (object) => {
      const once = pruneManifest(deepFreeze(object));
      if (!once.ok) throw new Error(once.message);
      expect(pruneManifest(deepFreeze(once.value))).toEqual(once);
      expect(once.value).not.toHaveProperty("status");
      expect(once.value.metadata).not.toHaveProperty("uid");
    }),
  );
});

test("a headless service stays headless, an address is left to each cluster", () => {
  const service = (clusterIP: string) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "s" },
    spec: { clusterIP, clusterIPs: [clusterIP] },
  });
  expect(pruneManifest(service("None"))).toMatchObject({ value: { spec: { clusterIP: "None" } } });
  expect(pruneManifest(service("10.0.0.1"))).toEqual({
    ok: true,
    value: { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: {} },
  });
});
