import { expect, test } from "vitest";
import type { PlannedTemplate } from "#api/plan/plan-report.ts";
import { compareCopies } from "./compare-copies.ts";
import type { WorkRecord } from "./work-records.ts";

const name = "Deployment shop/web in m1";
const says = (content: string, more: Partial<WorkRecord> = {}): WorkRecord => ({
  content,
  isHeld: false,
  refusal: undefined,
  ...more,
});
const planned = (does?: PlannedTemplate["objects"][number]["does"], waits = false): PlannedTemplate => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  namespace: "shop",
  name: "web",
  moves: false,
  clusters: { before: [], after: [] },
  objects: does === undefined ? [] : [{ cluster: "m1", does }],
  pending: waits ? [{ why: "leaving", message: "It goes later.", clusters: ["m1"] }] : [],
});

test.each<[string, PlannedTemplate, WorkRecord | undefined, WorkRecord | undefined, string | undefined]>([
  ["what was created as planned", planned("creates"), undefined, says("a"), undefined],
  ["what was changed as planned", planned("changes"), says("a"), says("b"), undefined],
  ["what was deleted as planned", planned("deletes"), says("a"), undefined, undefined],
  ["what was let go as planned", planned("releases"), says("a"), undefined, undefined],
  ["what was not touched, as planned", planned(), says("a"), says("a"), undefined],
  ["what was not created", planned("creates"), undefined, undefined, "planned to be created, is not there"],
  ["what was not changed", planned("changes"), says("a"), says("a"), "planned to be changed, is there as it was"],
  ["what was not deleted", planned("deletes"), says("a"), says("a"), "planned to be deleted, is there as it was"],
  ["what went instead of changing", planned("changes"), says("a"), undefined, "planned to be changed, was deleted"],
  ["what was created and nobody had planned it", planned(), undefined, says("a"), "not planned, was created"],
  ["what was changed and nobody had planned it", planned(), says("a"), says("b"), "not planned, was changed"],
  ["what was deleted and nobody had planned it", planned(), says("a"), undefined, "not planned, was deleted"],
  ["what was to leave, and has left", planned(undefined, true), says("a"), undefined, undefined],
  ["what was held back and is sent as it was", planned("changes"), says("a", { isHeld: true }), says("a"), undefined],
  [
    "what the member refused",
    planned("creates"),
    undefined,
    says("a", { refusal: "it is full" }),
    "planned to be created, the member has not got it: it is full",
  ],
])("%s", (_, template, before, after, line) => {
  const records = (record: WorkRecord | undefined) => new Map(record === undefined ? [] : [[name, record]]);
  const found = compareCopies([template], { before: records(before), after: records(after) });
  expect(found).toEqual(line === undefined ? [] : [`${name}: ${line}`]);
});

test("a copy of a template that the plan does not name at all is told, too", () => {
  const after = new Map([["Service shop/front in m2", says("a")]]);
  expect(compareCopies([], { before: new Map(), after })).toEqual([
    "Service shop/front in m2: not planned, was created",
  ]);
});
