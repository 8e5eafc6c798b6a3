import fc from "fast-check";
import { expect, test } from "vitest";
import { EqualParts } from "./equal-parts.ts";
import { cloneJson, RawNumber, stringifyJson } from "./json.ts";

const deployed = (time: string) => ({
  replicas: 2,
  conditions: [{ type: "Available", status: "True", lastUpdateTime: time }],
});

test("what is equal is given out once, in whole and in part", () => {
  const parts = new EqualParts();
  const first = parts.shared(deployed("10:00"));
  expect(parts.shared(deployed("10:00"))).toBe(first);
  const later = parts.shared({ ...deployed("10:00"), replicas: 3 });
  expect(later).toStrictEqual({ ...deployed("10:00"), replicas: 3 });
  expect(later.conditions).toBe(first.conditions);
  expect(parts.shared(deployed("10:01")).conditions).not.toBe(first.conditions);
});

test("nothing that was given is changed", () => {
  const parts = new EqualParts();
  parts.shared({ a: { b: 1 } });
  const given = Object.freeze({ a: Object.freeze({ b: 1 }), c: 2 });
  const before = given.a;
  expect(parts.shared(given)).toStrictEqual({ a: { b: 1 }, c: 2 });
  expect(given.a).toBe(before);
});

test("it is told once of what is new", () => {
  const told: object[] = [];
  const parts = new EqualParts({ onNew: (part) => told.push(part) });
  parts.shared({ a: [1] });
  parts.shared({ a: [1] });
  expect(told).toStrictEqual([[1], { a: [1] }]);
});

test("what prints differently is not the same", () => {
  const parts = new EqualParts();
  for (const each of [[0], [-0], [""], [null], [false], ["0"], [[]], [{}], {}, [], { 0: 0 }, { a: undefined }])
    expect(parts.shared(each)).toStrictEqual(each);
  const raw = [new RawNumber("1.0")];
  parts.shared([new RawNumber("2.0")]);
  expect(parts.shared(raw)).toStrictEqual(raw);
});

test("texts that differ late are told apart", () => {
  const parts = new EqualParts();
  const [one, other] = ["x", "y"].map((end) => ["x".repeat(200) + end]);
  expect(parts.shared(one)).toBe(one);
  expect(parts.shared(other)).toBe(other);
});

test("what is large is not held", () => {
  const parts = new EqualParts();
  const large = () => ({ text: "x".repeat(5_000), small: { a: 1 } });
  const first = parts.shared(large());
  const second = parts.shared(large());
  expect(second).not.toBe(first);
  expect(second.small).toBe(first.small);
});

test("texts are shared where that is asked for, and nothing else is changed", () => {
  const parts = new EqualParts({ areOwn: true });
  const given = { text: "a text of some length", list: ["another text of some length", 0, null] };
  const shared = parts.shared(given);
  expect(shared).toStrictEqual(given);
  expect(parts.shared(structuredClone(given))).toBe(shared);
  expect(parts.text(["a text", "of some length"].join(" "))).toBe(given.text);
  expect(parts.shared({ __proto__: null, b: 1 })).toEqual({ b: 1 });
});

test("it forgets what was met long ago", () => {
  const parts = new EqualParts();
  const first = parts.shared(["first"]);
  for (let index = 0; index < 10_000; index++) parts.shared([index]);
  expect(parts.shared(["first"])).not.toBe(first);
});

test("random values come back as they were given, equal ones as one, but for small parts of what was read", () => {
  const text = fc.constantFrom("", "a", "b", "x".repeat(200), "__proto__");
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.integer({ min: -2, max: 2 }), text, fc.boolean(), tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 3 }),
    object: fc.dictionary(text, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  }));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), (values) => {
      const areOwn = values.length % 2 === 0;
      const parts = new EqualParts({ areOwn });
      for (const each of values) {
        const given = cloneJson(each);
        const shared = parts.shared(given);
        expect(shared).toStrictEqual(each);
        const again = parts.shared(cloneJson(each));
        if (areOwn) expect(again).toStrictEqual(each);
        else expect(again).toBe(shared);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("what says the same is found, in the same order alone, and is not held", () => {
  const parts = new EqualParts();
  expect(parts.find(deployed("10:00"))).toBeUndefined();
  expect(parts.find(deployed("10:00"))).toBeUndefined();
  const first = parts.shared(deployed("10:00"));
  expect(parts.find(deployed("10:00"))).toBe(first);
  expect(parts.find({ ...deployed("10:00"), paused: undefined })).toBe(first);
  const { conditions, replicas } = deployed("10:00");
  expect(parts.find({ conditions, replicas })).toBeUndefined();
  expect(parts.find({ ...deployed("10:00"), more: 1 })).toBeUndefined();
  expect(parts.find({ replicas: 2, conditions: [] })).toBeUndefined();
});

test("whatever is found prints as what was asked for", () => {
  const leaf = fc.constantFrom<unknown>(0, -0, 1, "", "0", "a", null, false, undefined, new RawNumber("1.0"));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie("value"), { maxLength: 2 }), tie("object")),
    object: fc.dictionary(fc.constantFrom("a", "b", "__proto__"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 2, maxLength: 20 }), (values) => {
      const parts = new EqualParts();
      for (const each of values) {
        if (typeof each !== "object" || each === null || each instanceof RawNumber) continue;
        const found = parts.find(each);
        if (found !== undefined) expect(stringifyJson(found)).toBe(stringifyJson(each));
        parts.shared(cloneJson(each));
      }
    }),
    { numRuns: 2_000 },
  );
});
