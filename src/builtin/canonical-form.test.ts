import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseJson } from "#base/parse-json.ts";
import { canonicalObject } from "./canonical-form.ts";
import { findDataDirectory } from "./data-directory.ts";
import { loadMessageTable } from "./load-schemas.ts";

interface Fixture {
  readonly kind: string;
  readonly json: { readonly apiVersion: string; readonly kind: string };
  readonly input?: { readonly apiVersion: string; readonly kind: string };
}

const table = loadMessageTable(findDataDirectory());
const text = readFileSync(new URL("./fixtures/protobuf-objects.json", import.meta.url), "utf8");
const fixtures = parseJson(text).value as readonly Fixture[];

describe("what Kubernetes printed is in canonical form already", () => {
  test.each(fixtures.map((fixture, index) => [`${fixture.kind} #${index}`, fixture] as const))("%s", (_, { json }) => {
    expect(canonicalObject(table, json)).toEqual(json);
  });
});

describe("what people write becomes what Kubernetes prints", () => {
  const written = fixtures.filter((fixture) => fixture.input !== undefined);
  test.each(written.map((fixture, index) => [`${fixture.kind} #${index}`, fixture] as const))("%s", (_, fixture) => {
    expect(canonicalObject(table, fixture.input!)).toEqual(fixture.json);
  });
});

test("the original is not changed", () => {
  for (const { input } of fixtures) {
    if (input === undefined) continue;
    const before = JSON.stringify(input);
    canonicalObject(table, input);
    expect(JSON.stringify(input)).toBe(before);
  }
});

test("values of the wrong type are left to validation", () => {
  const wrong = { apiVersion: "v1", kind: "Pod", metadata: "x", spec: { containers: { a: 1 }, hostNetwork: "yes" } };
  expect(canonicalObject(table, wrong)).toMatchObject({
    metadata: "x",
    spec: { containers: { a: 1 }, hostNetwork: "yes" },
  });
});
