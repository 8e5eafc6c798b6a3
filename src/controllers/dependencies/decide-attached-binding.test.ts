import { describe, expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { dependedByLabelOf } from "#api/work/derived-names.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { deepFreeze } from "#test/world/deep-freeze.ts";
import {
  type AttachedFacts,
  decideAttachedBinding,
  isServed,
  type PutBinding,
  type Urgency,
} from "./decide-attached-binding.ts";
import { decideStrategy } from "./decide-strategy.ts";

/** The two scopes: what is namespaced, and what is not. */
const scopes = [
  ["ResourceBinding", "shop"],
  ["ClusterResourceBinding", undefined],
] as const;

describe.each(scopes)("%s", (kind, namespace) => {
  const inNamespace = namespace === undefined ? {} : { namespace };

  function objectOf({ uid = "u1", deleted = false } = {}): ApiObject {
    return deepFreeze({
      apiVersion: "v1",
      kind: "Thing",
      metadata: {
        name: "settings",
        ...inNamespace,
        uid,
        resourceVersion: "7",
        creationTimestamp: "",
        ...(deleted && { deletionTimestamp: "2026-11-15T00:00:00Z" }),
      },
    });
  }

  function referrer(name: string, clusters: readonly string[], spec: object = {}): Binding {
    const idLabel = `${kind.toLowerCase()}.karmada.io/permanent-id`;
    return deepFreeze({
      kind,
      metadata: { name, ...inNamespace, labels: { [idLabel]: `id-${name}` } },
      spec: {
        propagateDeps: true,
        conflictResolution: "Abort",
        clusters: clusters.map((each) => ({ name: each, replicas: 2 })),
        ...spec,
      },
    }) as unknown as Binding;
  }

  function decide(facts: Partial<AttachedFacts> & { readonly formerConflict?: string | undefined }) {
    const all = {
      object: objectOf(),
      binding: undefined,
      referrers: [],
      mode: "follow" as const,
      formerConflict: undefined,
    };
    const merged = { ...all, ...facts };
    const conflict =
      merged.binding?.spec.placement === undefined ? decideStrategy(merged.referrers).conflict : undefined;
    return decideAttachedBinding({ conflict, ...merged });
  }

  /** The binding that follows these, as it is stored. */
  function following(referrers: readonly Binding[], more: { readonly spec?: object; readonly metadata?: object } = {}) {
    const { wanted } = put(decide({ referrers }));
    const metadata = { ...wanted.metadata, uid: "b1", resourceVersion: "9", ...more.metadata };
    return deepFreeze({ ...wanted, metadata, spec: { ...wanted.spec, ...more.spec } } as Binding);
  }

  const put = (plan: ReturnType<typeof decide>) => plan.steps[0] as PutBinding;
  const requiredBy = (plan: ReturnType<typeof decide>) =>
    put(plan).wanted.spec.requiredBy?.map(({ name, clusters }) => `${name}: ${clusters?.map((each) => each.name)}`);

  const newcomers: Readonly<Record<string, readonly [newcomer: Binding, served: boolean]>> = {
    "one that is where others are": [referrer("api", ["m1"]), true],
    "one that is where one or another is": [referrer("api", ["m1", "m3"]), true],
    "one that is nowhere yet": [referrer("api", []), true],
    "one that is elsewhere": [referrer("api", ["m1", "m4"]), false],
    "one that still drains elsewhere": [
      referrer("api", ["m1"], { gracefulEvictionTasks: [{ fromCluster: "m4" }] }),
      false,
    ],
    "one that wants it overwritten": [referrer("api", ["m1"], { conflictResolution: "Overwrite" }), false],
    "one that wants it preserved": [referrer("api", ["m1"], { preserveResourcesOnDeletion: true }), false],
  };

  for (const [who, [newcomer, served]] of Object.entries(newcomers))
    test(`${who} ${served ? "waits: nothing comes of it in members" : "is heard at once"}`, () => {
      const present = [referrer("web", ["m1", "m2"]), referrer("shop", ["m3"])];
      const binding = following(present);
      const { urgency } = put(decide({ binding, referrers: [...present, newcomer] }));
      const expected = served ? "whenCalm" : "now";
      expect({ served: isServed(newcomer, binding), urgency }).toEqual({ served, urgency: expected });
    });

  test("a dependency gets a binding with everything at once", () => {
    const web = referrer("web", ["m2", "m1"]);
    const { wanted, synced } = put(decide({ referrers: [web, referrer("api", ["m3"])] }));
    expect(wanted).toEqual({
      apiVersion: "work.karmada.io/v1alpha2",
      kind,
      metadata: {
        name: "settings-thing",
        ...inNamespace,
        labels: {
          [dependedByLabelOf({ namespace, name: "web" })]: "id-web",
          [dependedByLabelOf({ namespace, name: "api" })]: "id-api",
        },
        finalizers: [namespace ? "karmada.io/binding-controller" : "karmada.io/cluster-resource-binding-controller"],
        ownerReferences: [
          { apiVersion: "v1", kind: "Thing", name: "settings", uid: "u1", controller: true, blockOwnerDeletion: true },
        ],
      },
      spec: {
        resource: {
          apiVersion: "v1",
          kind: "Thing",
          ...inNamespace,
          name: "settings",
          uid: "u1",
          resourceVersion: "7",
        },
        requiredBy: [
          { ...inNamespace, name: "api", clusters: [{ name: "m3", replicas: 2 }] },
          {
            ...inNamespace,
            name: "web",
            clusters: [
              { name: "m1", replicas: 2 },
              { name: "m2", replicas: 2 },
            ],
          },
        ],
        conflictResolution: "Abort",
      },
    });
    expect(synced.map(({ metadata }) => metadata.name)).toEqual(["web", "api"]);
  });

  test("nothing is written when nothing changes, not even the revision of the dependency", () => {
    const web = referrer("web", ["m1"]);
    const object = { ...objectOf(), metadata: { ...objectOf().metadata, resourceVersion: "8" } };
    expect(decide({ object, referrers: [web], binding: following([web]) })).toEqual({ steps: [] });
  });

  test("what nobody needs has no binding", () => {
    expect(decide({})).toEqual({ steps: [] });
  });

  test("only those whose entry changed are told", () => {
    const [web, api] = [referrer("web", ["m1"]), referrer("api", ["m1"])];
    const plan = decide({ referrers: [referrer("web", ["m2"]), api], binding: following([web, api]) });
    expect(requiredBy(plan)).toEqual(["api: m1", "web: m2"]);
    expect(put(plan).synced.map(({ metadata }) => metadata.name)).toEqual(["web"]);
  });

  test.each<[string, readonly Binding[], Urgency]>([
    ["another cluster", [referrer("web", ["m1", "m2"]), referrer("old", ["m1"])], "now"],
    ["a cluster less", [], "now"],
    ["another treatment of copies", [referrer("web", ["m1"], { conflictResolution: "Overwrite" })], "now"],
    ["one more where it is", ["web", "old", "api"].map((name) => referrer(name, ["m1"])), "whenCalm"],
    ["one less where it stays", [referrer("web", ["m1"])], "soon"],
    ["one for another", [referrer("web", ["m1"]), referrer("api", ["m1"])], "soon"],
    ["other replicas", [referrer("web", [], { clusters: [{ name: "m1", replicas: 9 }] })], "soon"],
  ])("how long it can wait: %s", (_, referrers, urgency) => {
    const plan = decide({ referrers, binding: following(["web", "old"].map((name) => referrer(name, ["m1"]))) });
    expect(put(plan).urgency).toBe(urgency);
  });

  test("an orphan loses its entry, its mark and what it took over from its referrers", () => {
    const web = referrer("web", ["m1"], { conflictResolution: "Overwrite", preserveResourcesOnDeletion: true });
    const binding = following([web], { metadata: { labels: { ...following([web]).metadata.labels, keep: "me" } } });
    const { spec, metadata } = put(decide({ binding })).wanted;
    expect(spec).toEqual({ resource: spec.resource, conflictResolution: "Abort" });
    expect(metadata.labels).toEqual({ keep: "me" });
    expect(metadata.uid).toBe("b1");
  });

  test("a policy of its own keeps its word and its clusters", () => {
    const web = referrer("web", ["m1"], { conflictResolution: "Overwrite", preserveResourcesOnDeletion: true });
    const own = { placement: {}, clusters: [{ name: "m3" }], preserveResourcesOnDeletion: false };
    const binding = following([referrer("api", ["m1"])], { spec: { ...own, requiredBy: undefined } });
    const plan = decide({ referrers: [web], binding });
    expect(put(plan).wanted.spec).toMatchObject({ ...own, conflictResolution: "Abort", requiredBy: [{ name: "web" }] });
    expect(put(plan).conflict).toBeUndefined();
  });

  test("a binding that no policy and no referrer stands behind is not ours to change", () => {
    const binding = following([referrer("web", ["m1"])], {
      spec: { requiredBy: undefined, conflictResolution: "Overwrite" },
      metadata: { labels: {}, finalizers: [], ownerReferences: [] },
    });
    expect(decide({ binding })).toEqual({ steps: [] });
  });

  test("the binding of a former object of that name is waited for", () => {
    const web = referrer("web", ["m1"]);
    const plan = decide({ object: objectOf({ uid: "u2" }), referrers: [web], binding: following([web]) });
    expect(plan.steps).toEqual([]);
    expect(plan.waitFor?.reason).toBe("the binding of a former object of this name is being collected");
  });

  test("a binding that is being deleted is waited for", () => {
    const web = referrer("web", ["m1"]);
    const deletionTimestamp = "2026-11-15T00:00:00Z";
    const leaving = following([web], { metadata: { deletionTimestamp } });
    expect(decide({ referrers: [], binding: leaving }).steps).toEqual([]);
  });

  test.each([
    ["is being deleted", objectOf({ deleted: true })],
    ["is gone and left its binding", undefined],
  ])("a dependency that %s lets go of referrers that are gone, and of nothing else", (_, object) => {
    const [web, api] = [referrer("web", ["m1"]), referrer("api", ["m1"])];
    const binding = following([web, api], { metadata: { ownerReferences: [] } });
    expect(decide({ object, mode: "keep", referrers: [web, api], binding }).steps).toEqual([]);
    const { wanted } = put(decide({ object, mode: "keep", referrers: [api], binding }));
    expect(wanted.spec).toEqual({ ...binding.spec, requiredBy: [binding.spec.requiredBy?.[0]] });
    expect(wanted.metadata.ownerReferences).toEqual([]);
  });

  test("a binding that lost its owner is taken over by the object of that name", () => {
    const web = referrer("web", ["m1"]);
    const binding = following([web], { metadata: { ownerReferences: [] } });
    const { wanted } = put(decide({ object: objectOf({ uid: "u2" }), referrers: [web], binding }));
    expect(wanted.metadata.ownerReferences).toMatchObject([{ uid: "u2" }]);
    expect(wanted.spec.resource.uid).toBe("u2");
  });

  test("a copy that drains keeps its dependencies, one that is purged does not", () => {
    const gracefulEvictionTasks = [
      { fromCluster: "m1", purgeMode: "Gracefully" },
      { fromCluster: "m3", purgeMode: "Directly" },
    ];
    expect(requiredBy(decide({ referrers: [referrer("web", ["m2"], { gracefulEvictionTasks })] }))).toEqual([
      "web: m1,m2",
    ]);
  });

  test("referrers that disagree: Overwrite and true win, and it is said with the write", () => {
    const web = referrer("web", ["m1"], { conflictResolution: "Overwrite" });
    const api = referrer("api", ["m1"], { preserveResourcesOnDeletion: true });
    const { wanted, conflict } = put(decide({ referrers: [web, api] }));
    expect(wanted.spec).toMatchObject({ conflictResolution: "Overwrite", preserveResourcesOnDeletion: true });
    expect(conflict).toBe(
      "Dependency policy conflict detected: ConflictResolution conflicted (Overwrite vs Abort); PreserveResourcesOnDeletion conflicted (true vs false).",
    );
  });

  test.each([
    ["as news where they agreed before", "", ["warn"]],
    ["not again", "Dependency policy conflict detected: ConflictResolution conflicted (Overwrite vs Abort).", []],
    ["not at a start, where it was said before", undefined, []],
  ])("a disagreement that changes nothing else is said %s", (_, formerConflict, expected) => {
    const both = [referrer("web", ["m1"], { conflictResolution: "Overwrite" }), referrer("api", ["m1"])];
    const { steps } = decide({ referrers: both, binding: following(both), formerConflict });
    expect(steps.map((step) => step.do)).toEqual(expected);
  });

  test("with the gate off nothing is attached and nothing moves; what lost its referrer is released", () => {
    const [web, api] = [referrer("web", ["m1"]), referrer("api", ["m1"])];
    expect(decide({ referrers: [web], mode: "keep" }).steps).toEqual([]);
    const moved = referrer("web", ["m2"]);
    expect(decide({ referrers: [moved], binding: following([web]), mode: "keep" }).steps).toEqual([]);
    expect(requiredBy(decide({ referrers: [moved], binding: following([web, api]), mode: "keep" }))).toEqual([
      "web: m1",
    ]);
  });
});
