import { expect, test } from "vitest";
import type { Binding } from "#api/work/resource-binding.ts";
import { sketchBinding } from "#test/world/scheduling-sketch.ts";
import { acceptsBinding } from "./accepted-binding.ts";

const claimed = { "propagationpolicy.karmada.io/permanent-id": "x" };

test.each<[string, Record<string, string>, Partial<Binding["spec"]>, boolean]>([
  ["a policy stands behind it", claimed, {}, true],
  ["a cluster policy stands behind it", { "clusterpropagationpolicy.karmada.io/permanent-id": "x" }, {}, true],
  ["someone else manages it", { "binding.karmada.io/managed-by": "me" }, {}, true],
  ["it only follows another binding", {}, {}, false],
  ["it names our scheduler", claimed, { schedulerName: "default-scheduler" }, true],
  ["an empty name means the default scheduler", claimed, { schedulerName: "" }, true],
  ["it names another scheduler", claimed, { schedulerName: "mine" }, false],
  ["its scheduling is suspended", claimed, { suspension: { scheduling: true } }, false],
  ["only its dispatching is suspended", claimed, { suspension: { dispatching: true } }, true],
])("%s", (_, labels, spec, expected) => {
  const binding = sketchBinding({ spec });
  expect(acceptsBinding({ ...binding, metadata: { ...binding.metadata, labels } })).toBe(expected);
});
