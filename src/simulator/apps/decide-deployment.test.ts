import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import type { SimulatedObject } from "#simulator/simulated-object.ts";
import { nowMs, podTemplate, printPlan, sketch, statusIn } from "#test/world/simulated-objects.ts";
import { decideDeployment } from "./decide-deployment.ts";
import { newReplicaSet, replicaSetAnnotations, revisionAnnotation } from "./replica-set-of-template.ts";

interface Given {
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly revision?: number;
  /** From the oldest to the newest: image, wanted, available. */
  readonly sets?: readonly (readonly [image: string, replicas: number, available: number])[];
  readonly image?: string;
  readonly paused?: boolean;
  /** Pods of old ReplicaSets are still there. */
  readonly lingering?: boolean;
}

function world({ spec, status, revision, sets = [], image = "new", paused, lingering = false }: Given) {
  const deploymentOf = (template: string) =>
    sketch("Deployment", {
      name: "web",
      ...(revision === undefined ? {} : { annotations: { [revisionAnnotation]: String(revision) } }),
      spec: {
        replicas: 4,
        selector: { matchLabels: { app: "web" } },
        template: podTemplate(template),
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
        revisionHistoryLimit: 2,
        progressDeadlineSeconds: 600,
        ...(paused ? { paused } : {}),
        ...spec,
      },
      ...(status === undefined ? {} : { status }),
    });
  const deployment = deploymentOf(image);
  const replicaSets = sets.map(([template, replicas, available], index): SimulatedObject => {
    const { metadata, spec: wanted } = newReplicaSet({
      deployment: deploymentOf(template),
      replicas,
      revision: index + 1,
    });
    return sketch("ReplicaSet", {
      name: `rs-${template}`,
      labels: metadata.labels ?? {},
      annotations: replicaSetAnnotations(deployment, index + 1),
      owner: deployment,
      createdMs: nowMs - (sets.length - index) * 1_000,
      spec: wanted as Fields, // what was just made
      status: { replicas, readyReplicas: available, availableReplicas: available },
    });
  });
  return { deployment, replicaSets, orphans: [], hasPods: () => lingering, nowMs };
}

const created = /^create ReplicaSet web-[a-z0-9]+$/;
const recreate = { strategy: { type: "Recreate" } };

interface Row {
  readonly reason: string;
  readonly given: Given;
  readonly expect: readonly (string | RegExp)[];
}

const rows: Readonly<Record<string, Row>> = {
  "a new Deployment": { reason: "one ReplicaSet with all replicas", given: {}, expect: [created] },
  "its ReplicaSet is there": {
    reason: "the revision is put on the Deployment before its status",
    given: { sets: [["new", 4, 0]] },
    expect: ["patch Deployment web"],
  },
  "the revision is there": {
    reason: "then the status tells",
    given: { sets: [["new", 4, 0]], revision: 1 },
    expect: ["status Deployment web", /^wait for progress deadline: 600000 ms$/],
  },
  "more replicas are wanted": {
    reason: "the ReplicaSet follows",
    given: { sets: [["new", 2, 2]], revision: 1 },
    expect: ["update ReplicaSet rs-new replicas=4"],
  },
  "a new template": {
    reason: "surge bounds what is started next to the old",
    given: { sets: [["old", 4, 4]], revision: 1 },
    expect: [created],
  },
  "the new one has started": {
    reason: "one may be missing, so one old pod goes at once",
    given: {
      sets: [
        ["old", 4, 4],
        ["new", 1, 0],
      ],
      revision: 2,
    },
    expect: ["update ReplicaSet rs-old replicas=3"],
  },
  "there is room again": {
    reason: "the new ones grow up to the surge",
    given: {
      sets: [
        ["old", 3, 3],
        ["new", 1, 0],
      ],
      revision: 2,
    },
    expect: ["update ReplicaSet rs-new replicas=2"],
  },
  "new pods are not available": {
    reason: "no more old ones go: the minimum is kept",
    given: {
      sets: [
        ["old", 3, 3],
        ["new", 2, 0],
      ],
      revision: 2,
    },
    expect: ["status Deployment web", /^wait/],
  },
  "old pods that are not available": {
    reason: "they serve nobody and go first",
    given: {
      sets: [
        ["old", 4, 1],
        ["new", 1, 1],
      ],
      revision: 2,
    },
    expect: ["update ReplicaSet rs-old replicas=2"],
  },
  "the last old pod": {
    reason: "all new ones are there",
    given: {
      sets: [
        ["old", 1, 1],
        ["new", 4, 4],
      ],
      revision: 2,
    },
    expect: ["update ReplicaSet rs-old replicas=0"],
  },
  "back to an old template": {
    reason: "its ReplicaSet becomes the newest again, with a new revision",
    given: {
      sets: [
        ["a", 0, 0],
        ["b", 4, 4],
      ],
      image: "a",
      revision: 2,
    },
    expect: ["update ReplicaSet rs-a replicas=1", "patch Deployment web"],
  },
  "more history than is kept": {
    reason: "the oldest go when the rollout is done",
    given: {
      sets: [
        ["a", 0, 0],
        ["b", 0, 0],
        ["c", 0, 0],
        ["new", 4, 4],
      ],
      revision: 4,
    },
    expect: ["delete ReplicaSet rs-a: beyond the revision history limit"],
  },
  "Recreate with old pods": {
    reason: "the old ones go first",
    given: { sets: [["old", 4, 4]], revision: 1, spec: recreate },
    expect: ["update ReplicaSet rs-old replicas=0"],
  },
  "Recreate while old pods end": {
    reason: "no two templates run at the same time",
    given: { sets: [["old", 0, 0]], revision: 1, spec: recreate, lingering: true },
    expect: ["status Deployment web"],
  },
  "Recreate when they are gone": {
    reason: "now all new ones at once",
    given: { sets: [["old", 0, 0]], revision: 1, spec: recreate },
    expect: [created],
  },
  "paused with a new template": {
    reason: "nothing is rolled out",
    given: { sets: [["old", 4, 4]], revision: 1, paused: true },
    expect: ["status Deployment web"],
  },
  "paused and scaled": {
    reason: "scaling is no rollout",
    given: { sets: [["old", 2, 2]], revision: 1, paused: true },
    expect: ["update ReplicaSet rs-old replicas=4"],
  },
};

for (const [name, { reason, given, expect: expected }] of Object.entries(rows)) {
  test(name, () => {
    const lines = printPlan(decideDeployment(world(given)));
    expect(lines, reason).toEqual(
      expected.map((line) => (typeof line === "string" ? line : expect.stringMatching(line))),
    );
  });
}

test("a rollout runs from one template to the next within its limits", () => {
  let deployment = world({ sets: [["old", 4, 4]], revision: 1 }).deployment;
  let sets = world({ sets: [["old", 4, 4]], revision: 1 }).replicaSets;
  const seen: string[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const { steps } = decideDeployment({ deployment, replicaSets: sets, orphans: [], hasPods: () => false, nowMs });
    const all = steps.flatMap((step) => (step.do === "together" ? step.steps : [step]));
    for (const step of all) {
      if (step.do === "create")
        sets = [
          ...sets,
          sketch("ReplicaSet", {
            name: "rs-new",
            labels: step.object.metadata.labels ?? {},
            annotations: step.object.metadata.annotations ?? {},
            owner: deployment,
            createdMs: nowMs,
            spec: step.object["spec"] as Fields,
          }),
        ]; // a ReplicaSet's
      if (step.do === "update")
        sets = sets.map((set) =>
          set.metadata.name === step.object.metadata.name ? (step.object as SimulatedObject) : set,
        ); // was one before
      if (step.do === "patch")
        deployment = {
          ...deployment,
          metadata: { ...deployment.metadata, annotations: step.patch["metadata"].annotations },
        };
      if (step.do === "writeStatus") deployment = { ...deployment, status: step.status };
    }
    // every pod becomes available at once
    sets = sets.map((set) => ({
      ...set,
      status: {
        replicas: set.spec["replicas"],
        readyReplicas: set.spec["replicas"],
        availableReplicas: set.spec["replicas"],
      },
    }));
    const counts = sets.map(({ spec }) => spec["replicas"]).join("+");
    if (seen.at(-1) !== counts) seen.push(counts);
    const total = sets.reduce((sum, { spec }) => sum + spec["replicas"], 0);
    expect(total, "never above the surge, never below the minimum").toBeLessThanOrEqual(5);
    expect(total).toBeGreaterThanOrEqual(3);
  }
  expect(seen).toEqual(["4+1", "2+1", "2+3", "0+3", "0+4"]);
  expect(deployment.status).toMatchObject({ replicas: 4, updatedReplicas: 4, availableReplicas: 4 });
});

test("a rollout that stands still past its deadline says so", () => {
  const given = world({ sets: [["new", 4, 0]], revision: 1 });
  const status = statusIn(decideDeployment(given))!;
  expect(status["conditions"].map(({ type, reason }: Fields) => `${type} ${reason}`)).toEqual([
    "Available MinimumReplicasUnavailable",
    "Progressing FoundNewReplicaSet",
  ]);
  const later = { ...given, deployment: { ...given.deployment, status }, nowMs: nowMs + 600_000 };
  expect(statusIn(decideDeployment(later))?.["conditions"][1]).toMatchObject({
    status: "False",
    reason: "ProgressDeadlineExceeded",
    message: 'ReplicaSet "rs-new" has timed out progressing.',
  });
});
