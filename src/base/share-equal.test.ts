import { describe, expect, test } from "vitest";
import { RawNumber } from "./json.ts";
import { shareEqual } from "./share-equal.ts";

const known = () => ({ spec: { list: [{ a: 1 }, { b: "x" }], size: new RawNumber("1.0") }, status: { ready: 1 } });

describe("what is equal is taken from what is known", () => {
  test("a whole that is equal is the known one", () => {
    const was = known();
    expect(shareEqual(known(), was)).toBe(was);
  });

  test("parts that are equal are the known ones, whatever differs beside them", () => {
    const was = known();
    const fresh = { ...known(), status: { ready: 2 } };
    const shared = shareEqual(fresh, was);
    expect(shared).toEqual(fresh);
    expect(shared.spec).toBe(was.spec);
    expect(was).toEqual(known());
  });

  const cases: Record<string, { fresh: unknown; was: unknown }> = {
    "a member is gone": { fresh: { a: 1 }, was: { a: 1, b: 2 } },
    "a member is new": { fresh: { a: 1, b: 2 }, was: { a: 1 } },
    "a list is shorter": { fresh: [1, 2], was: [1, 2, 3] },
    "a list is longer": { fresh: [1, 2, 3], was: [1, 2] },
    "a list became an object": { fresh: { 0: 1 }, was: [1] },
    "an object became a list": { fresh: [1], was: { 0: 1 } },
    "a number is spelled otherwise": { fresh: { a: new RawNumber("1.0") }, was: { a: new RawNumber("1.00") } },
    "nothing was known": { fresh: { a: { b: null } }, was: undefined },
    "a member of an inherited name": { fresh: { toString: 1 }, was: {} },
    "a member named as the prototype": { fresh: JSON.parse('{"__proto__":{"a":1}}'), was: { a: 1 } },
  };
  for (const [situation, { fresh, was }] of Object.entries(cases))
    test(`${situation}: the value is the fresh one`, () => {
      const shared = shareEqual(fresh, was);
      expect(JSON.stringify(shared)).toBe(JSON.stringify(fresh));
      expect(shared).not.toBe(was);
    });
});
