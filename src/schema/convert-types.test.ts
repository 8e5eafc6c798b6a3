import { describe, expect, test } from "vitest";
import { parseJson } from "#base/parse-json.ts";
import { convertNumbers, findConversionError } from "./convert-types.ts";
import type { SchemaNode } from "./schema-node.ts";

const schema: SchemaNode = {
  type: "object",
  properties: {
    small: { type: "integer", format: "int32" },
    large: { type: "integer", format: "int64" },
    text: { type: "string", goType: "v1.Protocol" },
    bytes: { type: "string", format: "byte" },
    list: { type: "array", items: { type: "integer", format: "int32" } },
  },
};

describe("numbers that no field can hold", () => {
  const rows: Record<string, [sent: string, converted: object]> = {
    "one more than an int32 is the least one": ['{"small":2147483648}', { small: -2_147_483_648 }],
    "a float beyond all integers is nothing in an int32": ['{"small":1e20}', { small: 0 }],
    "a whole float is what it says": ['{"small":3.0}', { small: 3 }],
    "a number that fits stays": ['{"large":65536,"list":[1,4294967297]}', { large: 65_536, list: [1, 1] }],
  };
  test.each(Object.entries(rows))("%s", (_, [sent, converted]) => {
    const value = parseJson(sent).value as object;
    convertNumbers(value, schema);
    expect(value).toEqual(converted);
  });
});

describe("what cannot be converted is told in the converter's words", () => {
  const rows: Record<string, string | undefined> = {
    '{"small":1.5}': "cannot convert float64 to int32",
    '{"text":7}': "cannot convert int64 to v1.Protocol",
    '{"text":true}': "unrecognized type: string",
    '{"bytes":["a"]}': "unrecognized type: uint8",
    '{"bytes":[1,2]}': undefined,
    '{"list":{}}': "cannot restore slice from map",
  };
  test.each(Object.entries(rows))("%s", (sent, problem) => {
    expect(findConversionError(parseJson(sent).value, schema)).toBe(problem);
  });
});
