import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { fieldErrorMessage } from "#base/field-error.ts";
import { jobStatusErrors } from "./job-status-rules.ts";

const spec = { completions: 3, parallelism: 1, completionMode: "Indexed", backoffLimitPerIndex: 1, suspend: false };
const is = (type: string) => ({ type, status: "True" });
const time = "2026-01-02T03:04:05Z";
const later = "2026-01-02T04:04:05Z";

function judged(status: Fields, before: Fields = {}): readonly string[] {
  return jobStatusErrors({ spec, status }, { spec, status: before }).map(fieldErrorMessage);
}

/** What jobs of one cluster never are, and their sum is. */
test.each<[string, Fields, Fields]>([
  ["failed in one cluster while it runs in another", { conditions: [is("Failed")], active: 1 }, { active: 2 }],
  ["failed in one cluster before it started in another", { conditions: [is("Failed")], failed: 1 }, {}],
  [
    "complete in clusters that do not announce it",
    { conditions: [is("Complete")], startTime: time, completionTime: time, succeeded: 1 },
    { startTime: time },
  ],
  ["without the pods of a cluster that is gone", { failed: 1, succeeded: 0 }, { failed: 3, succeeded: 2 }],
])("the status of a template may be %s", (_, status, before) => {
  expect(judged(status, before)).toEqual([]);
});

test.each<[string, Fields, Fields, string]>([
  [
    "an end that is taken back",
    {},
    { conditions: [is("Complete")] },
    "status.conditions: Invalid value: cannot disable the terminal Complete=True condition",
  ],
  [
    "a start that moves",
    { startTime: later },
    { startTime: time },
    `status.startTime: Invalid value: "${later}": field is immutable for unsuspended job once set`,
  ],
  [
    "a completion before the start",
    { conditions: [is("Complete")], startTime: later, completionTime: time },
    {},
    `status.completionTime: Invalid value: "${time}": must be equal to or after \`startTime\``,
  ],
  [
    "indexes out of order",
    { completedIndexes: "2,0" },
    {},
    'status.completedIndexes: Invalid value: "2,0": error parsing completedIndexes: non-increasing order, previous: 2, current: 0',
  ],
  [
    "indexes that both failed and completed",
    { completedIndexes: "0-1", failedIndexes: "1" },
    {},
    'status.failedIndexes: Invalid value: "1": failedIndexes and completedIndexes overlap at index: 1',
  ],
])("%s is refused", (_, status, before, message) => {
  expect(judged(status, before)).toEqual([message]);
});
