import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  difference,
  type FieldSet,
  hasPath,
  intersection,
  isEmptySet,
  pathsOf,
  readFieldSet,
  recursiveDifference,
  union,
} from "./field-set.ts";
import { comparePathElements, describePath } from "./path-element.ts";

const element = fc.constantFrom("f:a", "f:b", "f:c", 'k:{"name":"x"}', 'k:{"port":80}', 'k:{"port":443}', 'v:"s"');
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 12 });

/** The reference: a set of paths is a set of texts. */
function textsOf(all: readonly (readonly string[])[]): Set<string> {
  return new Set(all.map((one) => JSON.stringify(one)));
}

function setOf(all: readonly (readonly string[])[]): FieldSet {
  const root: Record<string, unknown> = {};
  for (const one of all) {
    let node = root;
    for (const step of one) {
      node[step] ??= {};
      node = node[step] as Record<string, unknown>;
    }
    node["."] = {};
  }
  return readFieldSet(root)!;
}

function isSorted(set: FieldSet): boolean {
  const keys = Object.keys(set);
  return (
    keys.every((key, index) => index === 0 || comparePathElements(keys[index - 1]!, key) < 0) &&
    keys.every((key) => isSorted(set[key]!))
  );
}

describe("set operations agree with those on plain sets of paths", () => {
  const operations: Record<
    string,
    { run: (a: FieldSet, b: FieldSet) => FieldSet; holds: (p: string[], inB: Member) => boolean }
  > = {
    difference: { run: difference, holds: (one, inB) => !inB(one) },
    intersection: { run: intersection, holds: (one, inB) => inB(one) },
    "recursive difference": {
      run: recursiveDifference,
      holds: (one, inB) => !one.some((_, index) => inB(one.slice(0, index + 1))),
    },
  };
  type Member = (p: string[]) => boolean;
  test.each(Object.entries(operations))("%s", (_, { run, holds }) => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const inB = textsOf(b);
        const expected = a.filter((one) => holds(one, (p) => inB.has(JSON.stringify(p))));
        const result = run(setOf(a), setOf(b));
        expect(textsOf(pathsOf(result))).toEqual(textsOf(expected));
        expect(isSorted(result)).toBe(true);
      }),
    );
  });

  test("union", () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const result = union(setOf(a), setOf(b));
        expect(textsOf(pathsOf(result))).toEqual(textsOf([...a, ...b]));
        expect(isSorted(result)).toBe(true);
      }),
    );
  });

  test("nothing is changed in place", () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const [left, right] = [setOf(a), setOf(b)];
        const before = JSON.stringify([left, right]);
        for (const run of [union, difference, recursiveDifference, intersection]) run(left, right);
        expect(JSON.stringify([left, right])).toBe(before);
      }),
    );
  });
});

test("paths are found again", () => {
  fc.assert(
    fc.property(paths, path, (all, one) => {
      expect(hasPath(setOf(all), one)).toBe(textsOf(all).has(JSON.stringify(one)));
    }),
  );
});

describe("reading what a client sent", () => {
  const rows: Record<string, { sent: unknown; expected: FieldSet | undefined }> = {
    "keys are put in order": {
      sent: { 'k:{"b":1, "a":"x"}': {}, "f:z": {}, "f:a": {} },
      expected: { "f:a": {}, "f:z": {}, 'k:{"a":"x","b":1}': {} },
    },
    "steps of an unknown kind are left out": { sent: { "f:a": { "z:1": {} }, "q:": {} }, expected: { "f:a": {} } },
    "broken keys are left out": { sent: { "k:{": {}, "k:1": {}, "i:x": {}, "v:": {} }, expected: {} },
    "nothing is the empty set": { sent: undefined, expected: {} },
    "a list is no set": { sent: [], expected: undefined },
  };
  test.each(Object.entries(rows))("%s", (_, { sent, expected }) => {
    expect(readFieldSet(sent)).toEqual(expected);
    if (expected !== undefined) expect(JSON.stringify(readFieldSet(sent))).toBe(JSON.stringify(expected));
  });

  test("depth is bounded", () => {
    let deep = {};
    for (let i = 0; i < 5000; i++) deep = { "f:a": deep };
    expect(isEmptySet(readFieldSet(deep)!)).toBe(false);
  });
});

test("paths read as users write them", () => {
  expect(describePath(["f:spec", "f:containers", 'k:{"name":"web"}', "f:image"])).toBe(
    '.spec.containers[name="web"].image',
  );
  expect(describePath(["f:ports", 'k:{"port":80,"protocol":"TCP"}'])).toBe('.ports[port=80,protocol="TCP"]');
  expect(describePath(["f:finalizers", 'v:"a"'])).toBe('.finalizers[="a"]');
});
