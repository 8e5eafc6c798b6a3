import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { nowMs, podTemplate, printPlan, runningPod, sketch, statusIn } from "#test/world/simulated-objects.ts";
import type { SimulatedObject } from "../simulated-object.ts";
import { decideJob } from "./decide-job.ts";
import { indexAnnotation } from "./job-counts.ts";

interface Given {
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly deleted?: boolean;
  /** `running`, `done`, `failed 30s ago`, with the index of an indexed Job in front: `2 done`. */
  readonly pods?: readonly string[];
}

function facts({ spec, status, deleted = false, pods = [] }: Given) {
  const job = sketch("Job", {
    name: "work",
    deleted,
    spec: {
      parallelism: 2,
      completions: 3,
      backoffLimit: 2,
      completionMode: "NonIndexed",
      template: podTemplate(),
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  });
  return { job, pods: pods.map((words, place) => podOf(words, `p${place}`, job)), nowMs };
}

function podOf(words: string, name: string, owner: SimulatedObject): SimulatedObject {
  const index = /^\d+/.exec(words)?.[0];
  const agoMs = Number(/(\d+)s ago/.exec(words)?.[1] ?? 0) * 1_000;
  const finishedAt = new Date(nowMs - agoMs).toISOString();
  const phase = words.includes("done") ? "Succeeded" : words.includes("failed") ? "Failed" : "Running";
  const restartCount = Number(/(\d+) restarts/.exec(words)?.[1] ?? 0);
  return runningPod({
    name,
    owner,
    ...(index === undefined ? {} : { annotations: { [indexAnnotation]: index } }),
    ready: phase === "Running",
    status: {
      phase,
      containerStatuses: [{ restartCount, state: phase === "Running" ? {} : { terminated: { finishedAt } } }],
    },
  });
}

const indexed = { completionMode: "Indexed" };
const started = { startTime: "2030-01-01T00:00:00Z" };
const ended = (type: string, at: string) => ({ conditions: [{ type, status: "True", lastTransitionTime: at }] });

const rows: Readonly<Record<string, { reason: string; given: Given; expect: readonly string[] }>> = {
  "a new Job": {
    reason: "as many as may run in parallel",
    given: {},
    expect: ["create Pod work-*", "create Pod work-*"],
  },
  "two run": { reason: "the status is next", given: { pods: ["running", "running"] }, expect: ["status Job work"] },
  "two are done, one is missing": {
    reason: "never more than are still needed",
    given: { pods: ["done", "done"] },
    expect: ["create Pod work-*"],
  },
  "all are done": {
    reason: "the Job is complete",
    given: { pods: ["done", "done", "done"] },
    expect: ["status Job work"],
  },
  "less parallelism": {
    reason: "surplus pods go",
    given: { spec: { parallelism: 1 }, pods: ["running", "running"] },
    expect: ["delete Pod p0: more than the parallelism"],
  },
  "a pod has just failed": {
    reason: "the next one waits ten seconds",
    given: { pods: ["failed 4s ago", "running"] },
    expect: ["status Job work", "wait for retry or deadline: 6000 ms"],
  },
  "a pod failed a while ago": {
    reason: "its successor starts",
    given: { pods: ["failed 10s ago", "running"] },
    expect: ["create Pod work-*"],
  },
  "two pods have failed": {
    reason: "the wait doubles",
    given: { pods: ["failed 4s ago", "failed 30s ago", "running"] },
    expect: ["status Job work", "wait for retry or deadline: 16000 ms"],
  },
  "more failures than allowed": {
    reason: "what still runs is stopped first",
    given: { pods: ["failed", "failed", "failed", "running"] },
    expect: ["delete Pod p3: the job no longer runs"],
  },
  suspended: {
    reason: "no pod runs meanwhile",
    given: { spec: { suspend: true }, pods: ["running"] },
    expect: ["delete Pod p0: the job no longer runs"],
  },
  indexed: {
    reason: "the lowest free indexes",
    given: { spec: indexed, pods: ["0 done", "1 running"] },
    expect: ["create Pod work-2-*"],
  },
  "an index failed": {
    reason: "it is tried again",
    given: { spec: indexed, pods: ["0 done", "1 failed 60s ago", "2 running"] },
    expect: ["create Pod work-1-*"],
  },
  "a work queue that is nearly empty": {
    reason: "without completions nothing new starts once one has succeeded",
    given: { spec: { completions: null }, pods: ["done", "running"] },
    expect: ["status Job work"],
  },
  "past its deadline": {
    reason: "it is stopped",
    given: { spec: { activeDeadlineSeconds: 0 }, status: started, pods: ["running"] },
    expect: ["delete Pod p0: the job no longer runs"],
  },
  "before its deadline": {
    reason: "it is looked at again then",
    given: { spec: { activeDeadlineSeconds: 5, parallelism: 1 }, status: started, pods: ["running"] },
    expect: ["status Job work", "wait for retry or deadline: 5000 ms"],
  },
  "finished, to be kept": {
    reason: "nothing is left to do",
    given: { status: ended("Complete", "2029-12-31T00:00:00Z") },
    expect: [],
  },
  "finished, with a time to live": {
    reason: "it waits for its end",
    given: { spec: { ttlSecondsAfterFinished: 100 }, status: ended("Failed", "2029-12-31T23:59:00Z") },
    expect: ["wait for time to live: 40000 ms"],
  },
  "its time to live is over": {
    reason: "it goes",
    given: { spec: { ttlSecondsAfterFinished: 60 }, status: ended("Complete", "2029-12-31T23:59:00Z") },
    expect: ["delete Job work: its time to live is over"],
  },
  "being deleted": { reason: "nothing new for what goes", given: { deleted: true }, expect: [] },
};

for (const [name, { reason, given, expect: expected }] of Object.entries(rows)) {
  test(name, () => expect(printPlan(decideJob(facts(given))), reason).toEqual(expected));
}

const words = (status: Fields | undefined) =>
  (status?.["conditions"] ?? []).map(({ type, status: is, reason }: Fields) => `${type}=${is} ${reason}`);

test("a complete Job says so twice, as clients of different age look for it", () => {
  const status = statusIn(decideJob(facts({ spec: indexed, pods: ["0 done", "1 done", "2 done"], status: started })));
  expect(words(status)).toEqual(["SuccessCriteriaMet=True CompletionsReached", "Complete=True CompletionsReached"]);
  expect(status).toMatchObject({
    succeeded: 3,
    completedIndexes: "0-2",
    completionTime: "2030-01-01T00:00:00Z",
    ready: 0,
  });
});

test("a failed Job has no completion time", () => {
  const status = statusIn(decideJob(facts({ pods: ["failed", "failed", "failed"] })));
  expect(words(status)).toEqual(["FailureTarget=True BackoffLimitExceeded", "Failed=True BackoffLimitExceeded"]);
  expect(status).not.toHaveProperty("completionTime");
});

test("restarts inside a pod count against the limit", () => {
  const template = { ...podTemplate(), spec: { restartPolicy: "OnFailure", containers: [] } };
  const given = { spec: { template, parallelism: 1 }, pods: ["running 2 restarts"] };
  expect(printPlan(decideJob(facts(given)))).toEqual(["delete Pod p0: the job no longer runs"]);
});

test("a suspended Job has no start time, and a resumed one says that it goes on", () => {
  const suspended = statusIn(decideJob(facts({ spec: { suspend: true }, status: started })))!;
  expect(words(suspended)).toEqual(["Suspended=True JobSuspended"]);
  expect(suspended).not.toHaveProperty("startTime");
  const resumed = statusIn(decideJob(facts({ status: suspended, pods: ["running", "running"] })));
  expect(words(resumed)).toEqual(["Suspended=False JobResumed"]);
  expect(resumed).toMatchObject({ active: 2, startTime: "2030-01-01T00:00:00Z" });
});

test("a Job that somebody else manages is left alone", () => {
  expect(printPlan(decideJob(facts({ spec: { managedBy: "example.com/other" } })))).toEqual([]);
});
