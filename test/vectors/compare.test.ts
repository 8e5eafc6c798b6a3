import { expect, test } from "vitest";
import { differences, withoutNulls } from "./compare.ts";
import type { Answer, ComparingRules } from "./vector.ts";

const out = (value: unknown): Answer => ({ out: value });
const now = "2026-08-01T12:00:00Z";

const cases: Record<string, { expected: Answer; actual: Answer; rules?: ComparingRules; found: string[] }> = {
  "equal answers have no differences": { expected: out({ a: [1] }), actual: out({ a: [1] }), found: [] },
  "the order of members does not matter": { expected: out({ a: 1, b: 2 }), actual: out({ b: 2, a: 1 }), found: [] },
  "each place is named": {
    expected: out({ a: [{ b: 1 }, { b: 2 }], c: "x" }),
    actual: out({ a: [{ b: 1 }, { b: 3 }] }),
    found: [".a[1].b: expected 2, got 3", '.c: expected "x", got nothing'],
  },
  "lists of different length differ as a whole": {
    expected: out([1]),
    actual: out([1, 2]),
    found: ["out: expected [1], got [1,2]"],
  },
  "an empty member differs from an absent one": {
    expected: out({ a: {} }),
    actual: out({}),
    found: [".a: expected {}, got nothing"],
  },
  "by rule 3 it does not, from the leaves up": {
    expected: out({ a: { b: { c: [] } } }),
    actual: out({ d: null }),
    rules: { lenient: "empty" },
    found: [],
  },
  "zero is something, unless counters are compared": {
    expected: out({ a: 0 }),
    actual: out({}),
    rules: { lenient: "empty" },
    found: [".a: expected 0, got nothing"],
  },
  "a counter at zero is nothing": {
    expected: out({ a: 0 }),
    actual: out({}),
    rules: { lenient: "counters" },
    found: [],
  },
  "now is any time in whole seconds": {
    expected: out({ t: "<now>" }),
    actual: out({ t: "2020-02-02T02:02:02Z" }),
    found: [],
  },
  "now is the time that was handed in": {
    expected: out({ t: "<now>" }),
    actual: out({ t: "2020-02-02T02:02:02Z" }),
    rules: { now },
    found: ['.t: expected "<now>", got "2020-02-02T02:02:02Z"'],
  },
  "a fresh uuid is of version 4": {
    expected: out(["<uuid>", "<uuid>"]),
    actual: out(["7b0e4b1c-0000-4000-8000-000000000000", "7b0e4b1c-0000-1000-8000-000000000000"]),
    found: ['[1]: expected "<uuid>", got "7b0e4b1c-0000-1000-8000-000000000000"'],
  },
  "a failure that was not expected": {
    expected: out(1),
    actual: { err: "no" },
    found: ['expected 1, failed with "no"'],
  },
  "a failure that was expected": {
    expected: { err: "no" },
    actual: out(1),
    found: ['expected to fail with "no", got 1'],
  },
  "the text of a failure does not matter": { expected: { err: "no" }, actual: { err: "not" }, found: [] },
  "where it is normative, text and class matter": {
    expected: { err: "no", errClass: "A" },
    actual: { err: "not", errClass: "B" },
    rules: { failureText: true },
    found: ['err: expected "no", got "not"', "errClass: expected A, got B"],
  },
};

test.each(Object.entries(cases))("%s", (_, { expected, actual, rules, found }) => {
  expect(differences(expected, actual, rules)).toEqual(found);
});

test("nulls are dropped from objects and kept in lists", () => {
  expect(withoutNulls({ a: null, b: [null, { c: null, d: 0 }] })).toEqual({ b: [null, { d: 0 }] });
});
