import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import type { SimulatedObject } from "#simulator/simulated-object.ts";
import { nowMs, podTemplate, printPlan, runningPod, sketch, statusIn } from "#test/world/simulated-objects.ts";
import { memberResources } from "../member-resources.ts";
import { decideStatefulSet, type StatefulSetFacts } from "./decide-stateful-set.ts";
import { decideHistory, revisionHashLabel, templateRevision } from "./revision-history.ts";

const labels = { app: "db" };
const resource = memberResources.statefulSets;

interface Given {
  readonly spec?: Fields;
  readonly status?: Fields;
  /** Each pod by its number: of the present template or the one before, ready or not, deleted or not. */
  readonly pods?: Readonly<Record<number, string>>;
  readonly claims?: readonly string[];
}

function setOf(image: string, { spec, status }: Given): SimulatedObject {
  return sketch("StatefulSet", {
    name: "db",
    spec: {
      replicas: 3,
      serviceName: "db",
      selector: { matchLabels: labels },
      template: podTemplate(image, labels),
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  });
}

function facts(given: Given): StatefulSetFacts {
  const set = setOf("new", given);
  const old = setOf("old", given);
  const revisions = [old, set].map((owner, index) => {
    const [step] = decideHistory({ resource, owner, revisions: [] }).steps;
    if (step?.do !== "create") throw new Error("a template without a record gets one");
    const { name, labels: own } = step.object.metadata;
    return sketch("ControllerRevision", {
      name: name!,
      labels: own ?? {},
      owner: set,
      data: step.object["data"] as Fields,
      revision: index + 1,
    }); // as created
  });
  const pods = Object.entries(given.pods ?? {}).map(([ordinal, words]) =>
    runningPod({
      name: `db-${ordinal}`,
      owner: set,
      labels: { ...labels, [revisionHashLabel]: templateRevision(words.includes("old") ? old : set) },
      ready: !words.includes("unready"),
      deleted: words.includes("deleted"),
      ...(words.includes("failed") ? { status: { phase: "Failed" } } : {}),
    }),
  );
  return { set, pods, orphans: [], revisions, hasClaim: (name) => given.claims?.includes(name) ?? false, nowMs };
}

const parallel = { podManagementPolicy: "Parallel" };
const claims = { volumeClaimTemplates: [{ metadata: { name: "data" }, spec: {} }] };

const rows: Readonly<Record<string, { reason: string; given: Given; expect: readonly string[] }>> = {
  "no pod yet": { reason: "the first comes first", given: {}, expect: ["create Pod db-0"] },
  "with claims": {
    reason: "a pod needs its claim",
    given: { spec: claims },
    expect: ["create PersistentVolumeClaim data-db-0", "create Pod db-0"],
  },
  "with a claim from an earlier life": {
    reason: "data outlives the pod",
    given: { spec: claims, claims: ["data-db-0"] },
    expect: ["create Pod db-0"],
  },
  "the first is not ready": {
    reason: "the second waits",
    given: { pods: { 0: "unready" } },
    expect: ["status StatefulSet db"],
  },
  "the first is ready": { reason: "now the second", given: { pods: { 0: "new" } }, expect: ["create Pod db-1"] },
  Parallel: {
    reason: "all at once",
    given: { spec: parallel },
    expect: ["create Pod db-0", "create Pod db-1", "create Pod db-2"],
  },
  "one too many": {
    reason: "the highest number goes",
    given: { pods: { 0: "new", 1: "new", 2: "new", 3: "new", 4: "new" } },
    expect: ["delete Pod db-4: beyond the replicas"],
  },
  "one is going already": {
    reason: "one after the other",
    given: { pods: { 0: "new", 1: "new", 2: "new", 3: "new", 4: "deleted" } },
    expect: ["status StatefulSet db"],
  },
  "a failed pod": {
    reason: "it makes room for its successor",
    given: { pods: { 0: "failed" } },
    expect: ["delete Pod db-0: it has ended"],
  },
  "a new template": {
    reason: "from the highest number down",
    given: { pods: { 0: "old", 1: "old", 2: "old" } },
    expect: ["delete Pod db-2: its template is old"],
  },
  "the highest is new but not ready": {
    reason: "the next waits for it",
    given: { pods: { 0: "old", 1: "old", 2: "unready" } },
    expect: ["status StatefulSet db"],
  },
  "the highest is new and ready": {
    reason: "on to the next",
    given: { pods: { 0: "old", 1: "old", 2: "new" } },
    expect: ["delete Pod db-1: its template is old"],
  },
  "a partition": {
    reason: "below it everything stays as it is",
    given: {
      spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } },
      pods: { 0: "old", 1: "old", 2: "new" },
    },
    expect: ["status StatefulSet db"],
  },
  OnDelete: {
    reason: "whoever wants the new template deletes pods",
    given: { spec: { updateStrategy: { type: "OnDelete" } }, pods: { 0: "old", 1: "old", 2: "old" } },
    expect: ["status StatefulSet db"],
  },
  "numbers that start elsewhere": {
    reason: "ordinals.start shifts the names",
    given: { spec: { ordinals: { start: 5 }, replicas: 1 } },
    expect: ["create Pod db-5"],
  },
};

for (const [name, { reason, given, expect: expected }] of Object.entries(rows)) {
  test(name, () => expect(printPlan(decideStatefulSet(facts(given))), reason).toEqual(expected));
}

test("the status tells which revision how many pods have", () => {
  const { set } = facts({});
  const [before, now] = [`db-${templateRevision(setOf("old", {}))}`, `db-${templateRevision(set)}`];
  const during = statusIn(
    decideStatefulSet(facts({ status: { currentRevision: before }, pods: { 0: "old", 1: "old", 2: "unready" } })),
  );
  expect(during).toEqual({
    observedGeneration: 1,
    replicas: 3,
    readyReplicas: 2,
    availableReplicas: 2,
    currentReplicas: 2,
    updatedReplicas: 1,
    currentRevision: before,
    updateRevision: now,
    collisionCount: 0,
  });
  const done = statusIn(
    decideStatefulSet(facts({ status: { currentRevision: before }, pods: { 0: "new", 1: "new", 2: "new" } })),
  );
  expect(done, "the update has become what is current").toMatchObject({
    currentRevision: now,
    updateRevision: now,
    currentReplicas: 3,
  });
});

test("a pod below the partition is created again from the template it had", () => {
  const before = `db-${templateRevision(setOf("old", {}))}`;
  const spec = { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } } };
  const [step] = decideStatefulSet(facts({ spec, status: { currentRevision: before } })).steps;
  expect(step).toMatchObject({
    do: "create",
    object: { metadata: { name: "db-0" }, spec: { containers: [{ image: "old" }] } },
  });
});

test("a template that comes back becomes the newest revision", () => {
  const given = facts({});
  const set = { ...setOf("old", {}), metadata: given.set.metadata };
  expect(printPlan(decideStatefulSet({ ...given, set }))).toEqual([
    `update ControllerRevision db-${templateRevision(set)}`,
  ]);
});
