import { describe, expect, test } from "vitest";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { Work } from "#api/work/work.ts";
import { covers, isAsSent } from "./compare-objects.ts";
import { decideExecution, type ExecutionStep } from "./decide-execution.ts";
import { decideWorkStatus, dispatchingNews, saysApplied } from "./decide-work-status.ts";
import { letGo } from "./let-go.ts";

const resource = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };
const manifest = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", namespace: "n", labels: { "karmada.io/managed": "true" } },
  data: { a: "1" },
};
const ours = (data: object = { a: "1" }, more: Fields = {}): ApiObject =>
  ({
    ...manifest,
    metadata: {
      ...manifest.metadata,
      uid: "u",
      resourceVersion: "1",
      managedFields: [{ manager: "flotilla", operation: "Update", fieldsV1: { "f:data": {} } }],
      ...more,
    },
    data,
  }) as unknown as ApiObject;
const theirs = (): ApiObject => ours({ a: "9" }, { labels: {} });

const marked = (controlPlane: string) => ({ annotations: { "work.karmada.io/control-plane": controlPlane } });

interface Sketch {
  readonly observed?: ApiObject;
  readonly served?: boolean;
  readonly ready?: boolean;
  readonly leaving?: boolean;
  readonly work?: Fields;
  readonly deleted?: boolean;
  readonly overwrite?: boolean;
}

const cases: Readonly<Record<string, { reason: string; given: Sketch; expect: readonly string[]; waits?: string }>> = {
  missing: { reason: "what is not there is created", given: {}, expect: ["create"] },
  "as sent, before copies said whose they are": {
    reason: "nothing to do is no request",
    given: { observed: ours() },
    expect: [],
  },
  drifted: { reason: "what somebody changed is repaired", given: { observed: ours({ a: "2" }) }, expect: ["update"] },
  foreign: { reason: "an object that is not ours is left alone", given: { observed: theirs() }, expect: ["refuse"] },
  "foreign, to be taken over": {
    reason: "unless the policy says Overwrite",
    given: { observed: theirs(), overwrite: true },
    expect: ["update"],
  },
  "another control plane's": {
    reason: "two that write to one object would never end",
    given: { observed: ours({ a: "2" }, marked("there")), overwrite: true },
    expect: ["refuse"],
  },
  "ours, and it says so": {
    reason: "it is as sent",
    given: { observed: ours({ a: "1" }, marked("here")) },
    expect: [],
  },
  "another control plane's, when its work goes": {
    reason: "it is not ours to delete",
    given: { observed: ours({ a: "1" }, marked("there")), deleted: true },
    expect: ["releaseWork"],
  },
  "kind not served": { reason: "said, not guessed", given: { served: false }, expect: ["refuse"] },
  "being deleted there": {
    reason: "wait until it is gone",
    given: { observed: ours({ a: "1" }, { deletionTimestamp: "x" }) },
    expect: ["refuse"],
  },
  suspended: {
    reason: "no write to a suspended member, repairs included",
    given: { observed: ours({ a: "2" }), work: { suspendDispatching: true } },
    expect: [],
    waits: "dispatching is suspended",
  },
  "not ready": {
    reason: "a member that is not well is left alone",
    given: { ready: false },
    expect: [],
    waits: "the cluster is not ready",
  },
  "work deleted": {
    reason: "the object goes, then the work",
    given: { deleted: true, observed: ours() },
    expect: ["delete", "releaseWork"],
  },
  "work deleted, object gone": { reason: "done", given: { deleted: true }, expect: ["releaseWork"] },
  "work deleted, object not ours": {
    reason: "nothing in a member is deleted that is not ours",
    given: { deleted: true, observed: theirs() },
    expect: ["releaseWork"],
  },
  "work deleted while suspended": {
    reason: "deletion is never blocked",
    given: { deleted: true, observed: ours(), work: { suspendDispatching: true } },
    expect: ["delete", "releaseWork"],
  },
  preserved: {
    reason: "the object stays, without our marks",
    given: { deleted: true, observed: ours(), work: { preserveResourcesOnDeletion: true } },
    expect: ["letGoNamespace", "letGo", "releaseWork"],
  },
  "preserved, object gone": {
    reason: "ruling 20: nothing to preserve",
    given: { deleted: true, work: { preserveResourcesOnDeletion: true } },
    expect: ["releaseWork"],
  },
  "work deleted, member down": {
    reason: "nothing is forgotten there",
    given: { deleted: true, ready: false, observed: ours() },
    expect: [],
    waits: "the cluster is not ready",
  },
  "work deleted, member leaving": {
    reason: "what cannot be reached any more holds nothing up",
    given: { deleted: true, ready: false, leaving: true },
    expect: ["releaseWork"],
  },
};

describe("decideExecution", () => {
  for (const [name, { reason, given, expect: expected, waits }] of Object.entries(cases)) {
    test(name, () => {
      const {
        observed,
        served = true,
        ready = true,
        leaving = false,
        work = {},
        deleted = false,
        overwrite = false,
      } = given;
      const { annotations } = marked("here");
      const conflict = overwrite ? { "work.karmada.io/conflict-resolution": "overwrite" } : {};
      const sent = { ...manifest, metadata: { ...manifest.metadata, annotations: { ...annotations, ...conflict } } };
      const plan = decideExecution({
        work: {
          metadata: {
            name: "w",
            finalizers: ["karmada.io/execution-controller"],
            ...(deleted ? { deletionTimestamp: "x" } : {}),
          },
          spec: work,
        } as unknown as Work,
        manifests: [
          { manifest: sent, resource: served ? resource : undefined, observed, desired: { ok: true, value: sent } },
        ],
        isReady: ready,
        isLeaving: leaving,
        unreachable: undefined,
        manager: "flotilla",
        controlPlaneId: "here",
      });
      expect(
        plan.steps.map((step: ExecutionStep) => step.do),
        reason,
      ).toEqual(expected);
      expect(plan.waitFor?.reason, reason).toBe(waits);
    });
  }
});

describe("isAsSent", () => {
  test("defaults of the member's server are nobody's change", () => {
    expect(isAsSent(manifest, ours({ a: "1", defaulted: "x" }), "flotilla")).toBe(true);
  });

  test("a field that somebody added is found by its owner", () => {
    const touched = ours(
      { a: "1", b: "2" },
      { managedFields: [{ manager: "kubectl-edit", operation: "Update", fieldsV1: { "f:data": { "f:b": {} } } }] },
    );
    expect(isAsSent(manifest, touched, "flotilla")).toBe(false);
  });

  test("who only reports status or annotates touches nothing of ours", () => {
    const entries = [
      { manager: "kube-controller-manager", operation: "Update", subresource: "status", fieldsV1: { "f:status": {} } },
      { manager: "kube-controller-manager", operation: "Update", fieldsV1: { "f:metadata": { "f:annotations": {} } } },
    ];
    expect(isAsSent(manifest, ours({ a: "1" }, { managedFields: entries }), "flotilla")).toBe(true);
  });

  test("a field that the member decides and we keep is no drift, one that we do not want is", () => {
    const written = (fieldsV1: object) =>
      ours({ a: "1", b: "2" }, { managedFields: [{ manager: "scaler", operation: "Update", fieldsV1 }] });
    const kept = { ...manifest, data: { a: "1", b: "2" } };
    expect(isAsSent(kept, written({ "f:data": { ".": {}, "f:b": {} } }), "flotilla")).toBe(true);
    expect(isAsSent(manifest, written({ "f:data": { ".": {}, "f:b": {} } }), "flotilla")).toBe(false);
    expect(isAsSent(kept, written({ "f:list": { 'k:{"name":"x"}': {} } }), "flotilla")).toBe(false);
  });
  test("items of lists are found by their keys", () => {
    const sent = { ...manifest, list: [{ name: "x", value: 1 }, "y"] };
    const observed = (fields: object) => ({
      ...ours(
        { a: "1" },
        { managedFields: [{ manager: "scaler", operation: "Update", fieldsV1: { "f:list": fields } }] },
      ),
      list: [{ name: "x", value: 1, more: 2 }, "y"],
    });
    expect(isAsSent(sent, observed({ 'k:{"name":"x"}': { "f:value": {} }, 'v:"y"': {} }), "flotilla")).toBe(true);
    expect(isAsSent(sent, observed({ 'k:{"name":"x"}': { "f:more": {} } }), "flotilla")).toBe(false);
  });
  test("lists must be as long, empty objects count as absent", () => {
    expect(covers({ list: [1, 2] }, { list: [1] })).toBe(false);
    expect(covers({}, { resources: {}, none: null })).toBe(true);
    expect(covers({}, { resources: { cpu: "1" } })).toBe(false);
  });
});

test("that dispatching stops or goes on is news, that it begins or stays as it is is none", () => {
  const told = (...[was, is]: readonly (boolean | undefined)[]) => {
    const [old, status] = [was, is].map((suspendDispatching) =>
      suspendDispatching === undefined
        ? undefined
        : decideWorkStatus({
            work: { spec: { suspendDispatching } } as Work, // the part that is read
            manifests: [],
            outcome: "pending",
            now: "t1",
          }),
    );
    return dispatchingNews(old, status!);
  };
  const [stops, goesOn] = ["Work dispatching is in a suspended state.", "Work is being dispatched to member clusters."];
  expect([told(undefined, false), told(false, false), told(true, true)]).toEqual([undefined, undefined, undefined]);
  expect([told(undefined, true), told(false, true), told(true, false)]).toEqual([stops, stops, goesOn]);
});

describe("decideWorkStatus", () => {
  const work = { metadata: {}, spec: { suspendDispatching: false } } as unknown as Work;
  const reported = { manifest, observed: ours(), status: { ready: true }, health: "Healthy" as const };
  const first = decideWorkStatus({ work, manifests: [reported], outcome: { applied: true }, now: "t1" });

  test("says that it is dispatched, applied and healthy", () => {
    expect(first?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      "Dispatching True Dispatching",
      "Applied True AppliedSuccessful",
    ]);
    expect(first?.manifestStatuses).toEqual([
      {
        identifier: {
          ordinal: 0,
          group: "",
          version: "v1",
          kind: "ConfigMap",
          resource: "",
          namespace: "n",
          name: "c",
        },
        status: { ready: true },
        health: "Healthy",
      },
    ]);
  });

  test("says nothing twice", () => {
    expect(
      decideWorkStatus({
        work: { ...work, status: first! },
        manifests: [reported],
        outcome: { applied: true },
        now: "t2",
      }),
    ).toBeUndefined();
  });

  test("says of which generation it is applied, without a write for that alone", () => {
    const of = (generation: number, status?: Work["status"]) =>
      ({ ...work, metadata: { generation }, ...(status && { status }) }) as unknown as Work; // the part that is read
    const facts = { manifests: [reported], outcome: { applied: true }, now: "t1" } as const;
    const status = decideWorkStatus({ work: of(1), ...facts })!;
    expect(status.conditions?.[1]).toMatchObject({ type: "Applied", observedGeneration: 1 });
    expect([
      saysApplied(of(1)),
      saysApplied(of(1, status)),
      saysApplied(of(2, status)),
      saysApplied(of(1, first)),
    ]).toEqual([false, true, false, undefined]);
    expect(decideWorkStatus({ work: of(2, status), ...facts })).toBeUndefined();
    const news = decideWorkStatus({ work: of(2, status), ...facts, manifests: [{ ...reported, health: "Unhealthy" }] });
    expect(news?.conditions?.[1]).toMatchObject({ type: "Applied", observedGeneration: 2, lastTransitionTime: "t1" });
  });

  test("a suspended work is not dispatching (ruling 13), and what it reported before stays", () => {
    const suspended = { ...work, spec: { suspendDispatching: true }, status: first! } as unknown as Work;
    const status = decideWorkStatus({
      work: suspended,
      manifests: [{ ...reported, observed: undefined }],
      outcome: "pending",
      now: "t2",
    });
    expect(status?.conditions?.[0]).toEqual({
      type: "Dispatching",
      status: "False",
      reason: "SuspendDispatching",
      message: "Work dispatching is in a suspended state.",
      lastTransitionTime: "t2",
    });
    expect(status?.manifestStatuses).toEqual(first?.manifestStatuses);
  });

  test("a failure is told in its own words", () => {
    const status = decideWorkStatus({
      work,
      manifests: [{ ...reported, observed: undefined }],
      outcome: { applied: false, error: "no room" },
      now: "t1",
    });
    expect(status?.conditions?.[1]).toMatchObject({
      status: "False",
      reason: "AppliedFailed",
      message: "Failed to apply all manifests (0/1): no room",
    });
  });
});

test("letGo removes every mark of ours and nothing else", () => {
  const object = ours(
    {},
    {
      labels: { "karmada.io/managed": "true", "work.karmada.io/permanent-id": "x", app: "web", "notkarmada.io/x": "y" },
      annotations: { "resourcetemplate.karmada.io/uid": "u", note: "n" },
    },
  );
  expect(letGo(object).metadata).toMatchObject({
    labels: { app: "web", "notkarmada.io/x": "y" },
    annotations: { note: "n" },
  });
});

test("a namespace of ours stays when its cluster leaves, and goes when its template does", () => {
  const namespaces = { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false };
  const plain = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  const labels = { "karmada.io/managed": "true" };
  const observed = { ...plain, metadata: { ...plain.metadata, uid: "u", resourceVersion: "1", labels } };
  const decide = (isLeaving: boolean) =>
    decideExecution({
      work: { metadata: { name: "w", deletionTimestamp: "x" }, spec: {} } as unknown as Work, // what is looked at
      manifests: [
        {
          manifest: plain,
          resource: namespaces,
          observed: observed as unknown as ApiObject,
          desired: { ok: true, value: plain },
        },
      ],
      isReady: true,
      isLeaving,
      unreachable: undefined,
      manager: "flotilla",
      controlPlaneId: "here",
    }).steps.map((step: ExecutionStep) => step.do);
  expect([decide(true), decide(false)]).toEqual([["letGo"], ["delete"]]);
});
