import { describe, expect, test } from "vitest";
import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { type Work, Works } from "#api/work/work.ts";
import { parseJson } from "#base/parse-json.ts";
import { interpretManifest } from "#controllers/execution/interpret-manifest.ts";
import { reportOf } from "#controllers/execution/report-work.ts";
import { aggregateBindingStatus } from "#interpreter/aggregate-binding.ts";
import type { Interpretation } from "#interpreter/interpretation.ts";
import { nativeInterpreter } from "#interpreter/interpreter.ts";
import { validateFields } from "#schema/validate-fields.ts";
import { hostileStatusText } from "./hostile-statuses.ts";

const now = "2026-11-15T00:00:00Z";
const id = "b0000000-0000-4000-8000-000000000000";
const kinds = [
  ["apps/v1", "Deployment"],
  ["apps/v1", "StatefulSet"],
  ["apps/v1", "DaemonSet"],
  ["batch/v1", "Job"],
  ["v1", "Service"],
  ["v1", "Pod"],
  ["policy/v1", "PodDisruptionBudget"],
  ["example.com/v1", "Gadget"],
] as const;

const hostileStatus = (seed: number) => parseJson(hostileStatusText(seed)).value as Fields; // just written

interface Reported {
  readonly work: Work;
  readonly binding: Binding;
  readonly template: Manifest;
}

/** The way of a member's status: onto the work, onto the binding, onto the template. */
function report(apiVersion: string, kind: string, status: Fields): Reported {
  const metadata = { name: "web", namespace: "shop", uid: "u", resourceVersion: "1", generation: 1 };
  const annotations = { "resourcetemplate.karmada.io/generation": "1" };
  const manifest: Fields = { apiVersion, kind, metadata: { name: "web", namespace: "shop" }, spec: { replicas: 1 } };
  const observed = { ...manifest, metadata: { ...metadata, annotations }, status } as unknown as ApiObject;
  const idLabel = ResourceBindings.traits.ResourceBinding.idLabel;
  const work = {
    apiVersion: "work.karmada.io/v1alpha1",
    kind: "Work",
    metadata: { ...metadata, namespace: "karmada-es-m1", labels: { [idLabel]: id } },
    spec: { workload: { manifests: [manifest] } },
  } as unknown as Work;
  const meaning = interpretManifest(nativeInterpreter, { manifest, observed });
  if (meaning instanceof Promise) throw new Error("native rules answer at once");
  const resource = { group: "", version: "", resource: "", kind, namespaced: true };
  const facts = {
    work,
    manifests: [{ manifest, resource, observed, ...meaning }],
    isReady: true,
    error: undefined,
    now,
  };
  const told = { ...work, status: reportOf(facts) ?? {} } as unknown as Work;
  const target = { apiVersion, kind, namespace: "shop", name: "web" };
  const binding = {
    apiVersion: "work.karmada.io/v1alpha2",
    kind: "ResourceBinding",
    metadata: { ...metadata, labels: { [idLabel]: id } },
    spec: { resource: target, clusters: [{ name: "m1" }] },
  } as unknown as Binding;
  const aggregated = expectOk(aggregateBindingStatus(binding, { works: [told], now }));
  const items = aggregated.aggregatedStatus ?? [];
  const template = { ...manifest, metadata } as unknown as Manifest;
  const answer = nativeInterpreter.aggregateStatus(template, { items, now }) as Interpretation<Manifest>; // native
  return { work: told, binding: { ...binding, status: aggregated }, template: answer.ok ? answer.value : template };
}

function expectOk<T>(interpreted: Interpretation<T>): T {
  if (!interpreted.ok) throw new Error(interpreted.message);
  return interpreted.value;
}

describe("SEC-18: what members say of themselves is bounded", () => {
  test("200 hostile statuses: work and binding stay valid, small, and free of counts that are none", () => {
    let leftOut = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const [apiVersion, kind] = kinds[seed % kinds.length]!;
      const { work, binding, template } = report(apiVersion, kind, hostileStatus(seed));
      expect(validateFields(work, Works.schema), `seed ${seed}`).toEqual([]);
      expect(validateFields(binding, ResourceBindings.namespaced.schema), `seed ${seed}`).toEqual([]);
      expect(JSON.stringify(binding.status).length, `seed ${seed}`).toBeLessThan(70_000);
      for (const [name, value] of Object.entries((template["status"] ?? {}) as Fields))
        if (typeof value === "number") expect(value, `seed ${seed} ${name}`).toBeGreaterThanOrEqual(0);
      if (work.status?.conditions?.some(({ type }) => type === "StatusTruncated")) leftOut++;
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(leftOut).toBeGreaterThan(20);
  });

  const rows: readonly (readonly [string, string, Fields, string])[] = [
    ["example.com/v1", "Gadget", { text: "x".repeat(65_536) }, "it has 65547 bytes, more than 65536"],
    ["example.com/v1", "Gadget", { readyReplicas: -1 }, "its readyReplicas is no count"],
    ["apps/v1", "Deployment", { replicas: -1 }, "its replicas is no count"],
    ["apps/v1", "Deployment", { replicas: 2 ** 31 }, "its replicas is no count"],
    ["batch/v1", "Job", { active: 1e15 }, "its active is no count"],
  ];
  test.each(rows)(
    "%s %s with %#: nothing of it is reported, and the work says why",
    (apiVersion, kind, status, why) => {
      const { work, binding } = report(apiVersion, kind, status);
      const condition = work.status?.conditions?.find(({ type }) => type === "StatusTruncated");
      expect(condition?.message).toBe(`the status of ${kind} shop/web is not reported: ${why}`);
      expect(binding.status?.aggregatedStatus).toEqual([{ clusterName: "m1", applied: true, health: "Unknown" }]);
    },
  );

  test("counts that are legal in each member stay legal in their sum", () => {
    const items = ["m1", "m2"].map((clusterName) => ({ clusterName, status: { replicas: 2 ** 31 - 1 } }));
    const template = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", generation: 1 } };
    const answer = nativeInterpreter.aggregateStatus(template as unknown as Manifest, { items, now });
    expect(expectOk(answer as Interpretation<Manifest>)["status"]).toMatchObject({ replicas: 2 ** 31 - 1 });
  });

  test("what is in order is reported in full, and takes the condition away", () => {
    const { work } = report("example.com/v1", "Gadget", { text: "x".repeat(65_000), temperature: -3.5 });
    expect(work.status?.conditions?.map(({ type }) => type)).not.toContain("StatusTruncated");
    expect(work.status?.manifestStatuses?.[0]?.status).toMatchObject({ temperature: -3.5 });
  });
});
