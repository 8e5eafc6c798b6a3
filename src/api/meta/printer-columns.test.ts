import { expect, test } from "vitest";
import { compileJsonPath } from "./json-path.ts";
import { customTable } from "./printer-columns.ts";

const nowMs = Date.parse("2026-11-15T08:00:00Z");
const object = {
  apiVersion: "example.com/v1",
  kind: "Web",
  metadata: {
    name: "a",
    uid: "u",
    resourceVersion: "1",
    creationTimestamp: "2026-11-15T07:54:28Z",
    labels: { "example.com/tier": "front" },
  },
  spec: { replicas: 3, ratio: 0.5, on: true, hosts: ["x", "y"], empty: null },
  status: {
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Done", status: "False" },
    ],
    at: "2026-11-15T06:00:00Z",
  },
};

const paths: Record<string, { path: string; found: unknown[] }> = {
  "members by name": { path: ".spec.replicas", found: [3] },
  "the leading dot may be left out": { path: "spec.replicas", found: [3] },
  "an escaped dot is part of the name": { path: ".metadata.labels.example\\.com/tier", found: ["front"] },
  "a quoted name": { path: ".metadata.labels['example.com/tier']", found: ["front"] },
  "an item by place": { path: ".spec.hosts[1]", found: ["y"] },
  "an item from the end": { path: ".spec.hosts[-1]", found: ["y"] },
  "all items": { path: ".spec.hosts[*]", found: ["x", "y"] },
  "items that meet a condition": { path: '.status.conditions[?(@.type=="Done")].status', found: ["False"] },
  "single quotes do too": { path: ".status.conditions[?(@.type=='Ready')].status", found: ["True"] },
  "what is not there": { path: ".spec.nothing.at.all", found: [] },
  "members of Object.prototype are not there": { path: ".spec.constructor", found: [] },
};
for (const [name, { path, found }] of Object.entries(paths)) {
  test(`a path finds ${name}`, () => expect(compileJsonPath(path)?.(object)).toEqual(found));
}

test("a path beyond the subset is refused", () => {
  expect([compileJsonPath(".a[0:2]"), compileJsonPath(".a["), compileJsonPath("..a")]).toEqual(
    new Array(3).fill(undefined),
  );
});

const cells: Record<string, { type: string; jsonPath: string; cell: unknown }> = {
  "an integer": { type: "integer", jsonPath: ".spec.replicas", cell: 3 },
  "an integer of a fraction": { type: "integer", jsonPath: ".spec.ratio", cell: 0 },
  "a number": { type: "number", jsonPath: ".spec.ratio", cell: 0.5 },
  "a boolean": { type: "boolean", jsonPath: ".spec.on", cell: true },
  "a text": { type: "string", jsonPath: ".spec.hosts[0]", cell: "x" },
  "a number as text": { type: "string", jsonPath: ".spec.replicas", cell: "3" },
  "a list as text": { type: "string", jsonPath: ".spec.hosts", cell: '["x","y"]' },
  "a date as age": { type: "date", jsonPath: ".status.at", cell: "120m" },
  "a text where a number should be": { type: "integer", jsonPath: ".spec.hosts[0]", cell: null },
  "a text where a date should be": { type: "date", jsonPath: ".spec.hosts[0]", cell: "<invalid>" },
  nothing: { type: "string", jsonPath: ".spec.none", cell: null },
};
for (const [name, { type, jsonPath, cell }] of Object.entries(cells)) {
  test(`a column shows ${name}`, () => {
    expect(customTable([{ name: "X", type, jsonPath }]).cells(object, nowMs)).toEqual(["a", cell]);
  });
}

test("without columns of its own a resource shows its age", () => {
  const table = customTable(undefined);
  expect(table.columns.map(({ name, type }) => [name, type])).toEqual([
    ["Name", "string"],
    ["Age", "date"],
  ]);
  expect(table.cells(object, nowMs)).toEqual(["a", "5m32s"]);
});
