import { expect, test } from "vitest";
import { stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import { ExactNumbers } from "./restore-exact.ts";

const original = parseJson('{"a":9007199254740993,"b":1.0,"c":null,"d":[0.1234567890123456789],"e":[]}').value;
const plain = (text: string) => JSON.parse(text) as unknown;

test("what the script did not touch keeps its spelling", () => {
  const result = plain('{"a":9007199254740992,"b":1,"d":[0.12345678901234568],"e":{},"f":1}');
  expect(stringifyJson(new ExactNumbers([original]).restore(result, original))).toBe(
    '{"a":9007199254740993,"b":1.0,"d":[0.1234567890123456789],"e":[],"f":1,"c":null}',
  );
});

for (const [name, result, error] of [
  ["a large number that moved", '{"z":9007199254740992}', "the number at z cannot be kept exactly"],
  ["a precise fraction that moved", '{"d":[1,0.12345678901234568]}', "the number at d[1] cannot be kept exactly"],
] as const) {
  test(`${name} is refused by name`, () => {
    expect(() => new ExactNumbers([original]).restore(plain(result), original)).toThrow(error);
  });
}

test("a spelling that only looks different may move", () => {
  expect(new ExactNumbers([original]).restore(plain('{"z":1}'), original)).toMatchObject({ z: 1 });
});
