import { describe, expect, test } from "vitest";
import { readTaintChanges, taintsAfter } from "./taint-changes.ts";

const web = { key: "a", value: "web", effect: "NoSchedule" };
const changed = (taints: Parameters<typeof taintsAfter>[0], texts: readonly string[], overwrite = false) =>
  taintsAfter(taints, readTaintChanges(texts, overwrite));

describe("taints", () => {
  test("are added behind those that are there", () => {
    expect(changed([web], ["b:NoExecute", "c=:PreferNoSchedule"])).toEqual([
      web,
      { key: "b", effect: "NoExecute" },
      { key: "c", value: "", effect: "PreferNoSchedule" },
    ]);
  });
  test("that are there already change nothing", () => expect(changed([web], ["a=web:NoSchedule"])).toBeUndefined());
  test("get another value only when told so", () => {
    expect(() => changed([web], ["a=db:NoSchedule"])).toThrow("there is a taint a:NoSchedule already");
    expect(changed([web], ["a=db:NoSchedule"], true)).toEqual([{ ...web, value: "db" }]);
  });
  test("of one key and two effects are two taints", () => {
    expect(changed([web], ["a=web:NoExecute"])).toHaveLength(2);
  });
  test("are taken away by key, or by key and effect", () => {
    const both = [web, { ...web, effect: "NoExecute" }];
    expect(changed(both, ["a-"])).toEqual([]);
    expect(changed(both, ["a:NoExecute-"])).toEqual([web]);
  });
  test("that are not there cannot be taken away", () => {
    expect(() => changed([web], ["b-"])).toThrow("there is no taint b");
  });
});

for (const [text, why] of [
  ["a", "cannot read taint"],
  ["a=b", "cannot read taint"],
  ["=b:NoSchedule", "cannot read taint"],
  ["a=b:Sometimes", "cannot read taint"],
  ["a b:NoSchedule", "cannot read taint"],
  ["a=b c:NoSchedule", "cannot read taint"],
])
  test(`${JSON.stringify(text)} is refused`, () => expect(() => readTaintChanges([text!], false)).toThrow(why!));

test("one taint cannot be added twice, or added and removed", () => {
  expect(() => readTaintChanges(["a=b:NoSchedule", "a=c:NoSchedule"], false)).toThrow("twice");
  expect(() => readTaintChanges(["a=b:NoSchedule", "a-"], false)).toThrow("both add and remove");
});
