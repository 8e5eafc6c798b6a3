import { expect, test } from "vitest";
import { countKeys, roomFor } from "./roomy-object.ts";

test.for([0, 1, 4, 5, 24, 25, 1_000])("an object with room for %i members is an object like any other", (members) => {
  const made = roomFor(members);
  expect(made).toStrictEqual({});
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  for (let index = 0; index < members + 3; index++) made[`m${index}`] = index;
  expect(countKeys(made)).toBe(members + 3);
  expect(JSON.parse(JSON.stringify(made))).toStrictEqual(made);
  expect(structuredClone(made)).toStrictEqual(made);
});
