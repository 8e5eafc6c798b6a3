import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { podStatusErrors } from "./pod-status-rules.ts";

const ended = (exitCode: number) => ({ terminated: { exitCode } });
const running = { running: {} };

function paths(container: Fields, before: Fields, after: Fields): readonly string[] {
  const spec = { restartPolicy: "Never", containers: [{ name: "c", ...container }] };
  const status = (states: Fields) => ({ containerStatuses: [states] });
  return podStatusErrors({ spec, status: status(after) }, { spec, status: status(before) }).map(({ path }) => path);
}

const state = "status.containerStatuses[0].state";

test.each<[string, Fields, number, readonly string[]]>([
  ["stays so", {}, 1, [state]],
  ["starts again where its own policy says so", { restartPolicy: "Always" }, 0, []],
  ["starts again after a failure", { restartPolicy: "OnFailure" }, 1, []],
  ["stays so after a success", { restartPolicy: "OnFailure" }, 0, [state]],
  [
    "starts again where a rule has its exit code",
    {
      restartPolicy: "Never",
      restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }],
    },
    42,
    [],
  ],
])("a container that has ended %s", (_, container, exitCode, expected) => {
  expect(paths(container, { name: "c", state: ended(exitCode) }, { name: "c", state: running })).toEqual(expected);
});

test("containers of many clusters, which have no names, are not held to it", () => {
  expect(paths({}, { name: "", state: ended(1) }, { name: "", state: running })).toEqual([]);
});
