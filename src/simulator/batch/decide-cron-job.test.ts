import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { nowMs, podTemplate, printPlan, sketch, statusIn } from "#test/world/simulated-objects.ts";
import { decideCronJob } from "./decide-cron-job.ts";

interface Given {
  readonly spec?: Fields;
  readonly status?: Fields;
  /** `running`, `done`, `failed`, each a minute older than the next. */
  readonly jobs?: readonly string[];
  readonly createdMs?: number;
}

const minute = 60_000;
const number = nowMs / minute;

function facts({ spec, status, jobs = [], createdMs = nowMs - minute }: Given) {
  const cronJob = sketch("CronJob", {
    name: "tick",
    createdMs,
    spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template: podTemplate() } }, ...spec },
    ...(status === undefined ? {} : { status }),
  });
  const owned = jobs.map((words, place) => {
    const type = words === "done" ? "Complete" : "Failed";
    const at = new Date(nowMs - (jobs.length - place) * minute).toISOString();
    const end = { completionTime: at, conditions: [{ type, status: "True", lastTransitionTime: at }] };
    return sketch("Job", {
      name: `job${place}`,
      owner: cronJob,
      createdMs: nowMs - (jobs.length - place) * minute,
      ...(words === "running" ? {} : { status: end }),
    });
  });
  return { cronJob, jobs: owned, nowMs };
}

const next = "wait for schedule: 300000 ms";
const start = `create Job tick-${number}`;
const status = "status CronJob tick";

const rows: Readonly<Record<string, { reason: string; given: Given; expect: readonly string[] }>> = {
  "the time has come": { reason: "midnight is a multiple of five minutes", given: {}, expect: [start, status, next] },
  "not yet": {
    reason: "it was acted on",
    given: { status: { lastScheduleTime: "2030-01-01T00:00:00Z" } },
    expect: [next],
  },
  "many times were missed": {
    reason: "only the newest is made up for",
    given: { createdMs: nowMs - 86_400_000 },
    expect: [start, status, next],
  },
  "missed by more than the deadline": {
    reason: "too late is too late",
    given: { spec: { schedule: "30 * * * *", startingDeadlineSeconds: 60 }, createdMs: nowMs - 7_200_000 },
    expect: ["wait for schedule: 1800000 ms"],
  },
  suspended: { reason: "nothing starts", given: { spec: { suspend: true } }, expect: [] },
  "one still runs, Allow": { reason: "they may overlap", given: { jobs: ["running"] }, expect: [start, status, next] },
  "one still runs, Forbid": {
    reason: "the new one is skipped",
    given: { spec: { concurrencyPolicy: "Forbid" }, jobs: ["running"] },
    expect: [status, next],
  },
  "one still runs, Replace": {
    reason: "the old one goes",
    given: { spec: { concurrencyPolicy: "Replace" }, jobs: ["running"] },
    expect: ["delete Job job0: a newer one replaces it", start, status, next],
  },
  "too much history": {
    reason: "three that went well and one that did not are kept",
    given: { spec: { suspend: true }, jobs: ["done", "failed", "done", "failed", "done", "done"] },
    expect: ["delete Job job0: beyond the history limit", "delete Job job1: beyond the history limit", status],
  },
  "a schedule that never comes": {
    reason: "nothing to wait for",
    given: { spec: { schedule: "0 0 30 2 *" } },
    expect: [],
  },
};

for (const [name, { reason, given, expect: expected }] of Object.entries(rows)) {
  test(name, () => expect(printPlan(decideCronJob(facts(given))), reason).toEqual(expected));
}

test("the status names what runs and what went well last", () => {
  const given = facts({
    spec: { suspend: true },
    jobs: ["done", "running"],
    status: { lastScheduleTime: "2029-12-31T23:55:00Z" },
  });
  expect(statusIn(decideCronJob(given))).toEqual({
    active: [{ apiVersion: "batch/v1", kind: "Job", name: "job1", namespace: "default", uid: "uid-job1" }],
    lastScheduleTime: "2029-12-31T23:55:00Z",
    lastSuccessfulTime: "2029-12-31T23:58:00.000Z",
  });
});
