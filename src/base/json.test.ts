import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cloneJson, jsonEquals, member, mergeMembers, RawNumber, setMember, stringifyJson } from "./json.ts";
import { JsonSyntaxError, maxJsonDepth, parseJson, parsePrinted } from "./parse-json.ts";

describe("numbers keep their spelling", () => {
  for (const token of [
    "9007199254740993",
    "1.0",
    "1e3",
    "-0",
    "-0.0",
    "1E-7",
    "123456789012345678901234567890",
    "0.1",
    "-5",
    "1e400",
  ]) {
    test(`${token} prints as it was written`, () => {
      const text = `{"a":[${token}],"b":{"c":${token}}}`;
      expect(stringifyJson(parseJson(text).value)).toBe(text);
      expect(stringifyJson(parsePrinted(text))).toBe(text);
    });
  }

  test("what was printed is read back the same, whatever its numbers", () => {
    const tokens = fc.oneof(
      fc.integer().map(String),
      fc.bigInt().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,4})?([eE][-+]?[0-9]{1,3})?$/),
      fc.string().map((value) => JSON.stringify(value)),
    );
    const texts = fc.array(tokens, { maxLength: 4 }).map((list) => `{"a":[${list.join(",")}],"b":${list[0] ?? "{}"}}`);
    fc.assert(
      fc.property(texts, (text) => {
        const printed = stringifyJson(parseJson(text).value);
        expect(stringifyJson(parsePrinted(printed))).toBe(printed);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a string that looks like a marked number stays a string", () => {
    for (const text of [
      String.raw`"\ud800123\ud800"`,
      String.raw`"\\ud800123\\ud800"`,
      String.raw`["x\"\\ud8001\\ud800"]`,
    ]) {
      const { value } = parseJson(text);
      const again = parseJson(stringifyJson(value)).value;
      expect(jsonEquals(value, again)).toBe(true);
      expect(JSON.stringify(again)).not.toContain(":123");
    }
    expect(parseJson(String.raw`"\ud800123\ud800"`).value).toBe("\ufffd123\ufffd");
  });

  test("pretty printing keeps them, too", () => {
    expect(stringifyJson(parseJson('{"a":1.0}').value, { indent: 2 })).toBe('{\n  "a": 1.0\n}');
  });
});

describe("parseJson", () => {
  test("equals JSON.parse on everything that JSON.stringify prints", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, findDuplicates) => {
        const text = JSON.stringify(value);
        const parsed = parseJson(text, { findDuplicates });
        expect(stringifyJson(parsed.value)).toBe(text);
        expect(parsed.duplicates).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("refuses what JSON.parse refuses, and says where", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom("", "x", '"', "}", ",", "\\", "\u0001"),
        (value, at, junk) => {
          const text = JSON.stringify(value);
          const cut = at % (text.length + 1);
          const broken = text.slice(0, cut) + junk + text.slice(cut + (junk === "" ? 1 : 0));
          expect(
            accepts(() => parseJson(broken)),
            broken,
          ).toBe(accepts(() => JSON.parse(broken)));
        },
      ),
      { numRuns: 3_000 },
    );
    expect(() => parseJson('{"a":tru}')).toThrow(
      new JsonSyntaxError("invalid character '}' in literal true (expecting 'e')", 8),
    );
    expect(() => parseJson("")).toThrow("unexpected end of JSON input");
  });

  test("names duplicate fields by path, the last one wins", () => {
    const text = '{"data":{"a":1,"a":2},"list":[{"x":1,"x":1}],"data":{"b":3}}';
    const { value, duplicates } = parseJson(text, { findDuplicates: true });
    expect(duplicates).toEqual(["data.a", "list[0].x", "data"]);
    expect(value).toEqual({ data: { b: 3 }, list: [{ x: 1 }] });
  });

  test(`depth ${maxJsonDepth - 1} is fine; ${maxJsonDepth + 1}, 5,000 and a million are refused`, () => {
    const nest = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(() => parseJson(nest(maxJsonDepth - 1))).not.toThrow();
    for (const depth of [maxJsonDepth + 1, 5_000, 1_000_000])
      expect(() => parseJson(nest(depth))).toThrow("nested deeper");
  });

  test("__proto__ is a key like any other", () => {
    for (const findDuplicates of [false, true]) {
      const { value } = parseJson('{"__proto__":{"polluted":1.0},"constructor":{"prototype":{"polluted":1}}}', {
        findDuplicates,
      });
      expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      expect(stringifyJson(cloneJson(value))).toContain('"__proto__"');
    }
  });
});

describe("walks", () => {
  test("a clone is equal and shares nothing but raw numbers", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = cloneJson(value);
        expect(jsonEquals(copy, value)).toBe(true);
      }),
    );
    const raw = new RawNumber("1.0");
    expect(cloneJson({ a: raw }).a).toBe(raw);
  });

  test("equality minds values, not key order, and takes undefined for absent", () => {
    expect(jsonEquals({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(jsonEquals({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(jsonEquals({ a: 1 }, { a: 1, b: null })).toBe(false);
    expect(jsonEquals([1, 2], [2, 1])).toBe(false);
    expect(jsonEquals([], {})).toBe(false);
    expect(jsonEquals(new RawNumber("1.0"), new RawNumber("1.0"))).toBe(true);
    expect(jsonEquals(new RawNumber("1.0"), 1)).toBe(false);
    expect(jsonEquals({ toString: 1 }, {})).toBe(false);
  });

  test("members are own members", () => {
    const target = {};
    setMember(target, "__proto__", { a: 1 });
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
    expect(member(target, "__proto__")).toEqual({ a: 1 });
    expect(member({}, "toString")).toBeUndefined();
  });
});

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

test("merged members: later ones win, and none is mistaken for the prototype", () => {
  const odd = JSON.parse('{"__proto__":"x","b":"2"}');
  const merged = mergeMembers({ a: "1", b: "1" }, undefined, odd);
  expect(JSON.stringify(merged)).toBe('{"a":"1","b":"2","__proto__":"x"}');
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});
