import { expect, test } from "vitest";
import type { Manifest } from "#api/meta/manifest.ts";
import { deepFreeze } from "#test/world/deep-freeze.ts";
import {
  aggregateStatus,
  interpretHealth,
  interpretReplicas,
  retainFields,
  reviseReplicas,
} from "./interpret-natively.ts";

const now = "2026-03-01T12:00:00Z";
const web: Manifest = deepFreeze({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default", generation: 2 },
  spec: { replicas: 3, template: { spec: { containers: [{ name: "a", resources: { limits: { cpu: "500m" } } }] } } },
});

test("replicas are revised in a copy, and only where the template names them", () => {
  const revised = reviseReplicas(web, 5);
  expect(revised).toMatchObject({ ok: true, value: { spec: { replicas: 5 } } });
  const bare: Manifest = { ...web, spec: {} };
  expect(reviseReplicas(bare, 5)).toEqual({ ok: true, value: bare });
});

test("a limit counts as a request", () => {
  expect(interpretReplicas(web)).toEqual({
    ok: true,
    value: { replicas: 3, requirements: { resourceRequest: { cpu: "500m" } } },
  });
});

test("a kind without a rule is told from an object that is broken", () => {
  expect(interpretHealth({ ...web, apiVersion: "example.io/v1" })).toMatchObject({ ok: false, why: "no rule" });
  expect(interpretHealth({ ...web, spec: { replicas: "3" } })).toMatchObject({ ok: false, why: "malformed" });
});

test("an aggregate that says the same is the same object", () => {
  const items = [
    { clusterName: "m1", status: { replicas: 3, generation: 1, observedGeneration: 1, resourceTemplateGeneration: 2 } },
  ];
  const first = aggregateStatus(web, { items, now });
  if (!first.ok) throw new Error(first.message);
  expect(first.value["status"]).toEqual({ replicas: 3, observedGeneration: 2 });
  const second = aggregateStatus(deepFreeze(first.value), { items, now });
  expect(second.ok && second.value === first.value).toBe(true);
});

test("a finished job changes no more", () => {
  const done = { conditions: [{ type: "Complete", status: "True" }], succeeded: 1 };
  const job: Manifest = deepFreeze({ apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, status: done });
  const aggregated = aggregateStatus(job, { items: [{ clusterName: "m1", status: { active: 1 } }], now });
  expect(aggregated.ok && aggregated.value === job).toBe(true);
});

test("replicas are the member's where the user says so", () => {
  const label = { "resourcetemplate.karmada.io/retain-replicas": "true" };
  const observed: Manifest = { ...web, spec: { replicas: 9 } };
  expect(retainFields(web, observed)).toEqual({ ok: true, value: web });
  const asked = deepFreeze({ ...web, metadata: { ...web.metadata, labels: label } });
  expect(retainFields(asked, observed)).toMatchObject({ value: { spec: { replicas: 9 } } });
});
