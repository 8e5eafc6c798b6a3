import { expect, test } from "vitest";
import type { Toleration } from "#api/core/toleration.ts";
import { printTaint, tolerates, untoleratedTaint } from "./untolerated-taint.ts";

const taint = { key: "k", value: "v", effect: "NoSchedule" };

test.each<[string, Toleration, boolean]>([
  ["key, value and effect agree", { key: "k", operator: "Equal", value: "v", effect: "NoSchedule" }, true],
  ["the operator is Equal when it is not set", { key: "k", value: "v" }, true],
  ["another value is another taint", { key: "k", value: "w" }, false],
  ["another effect is another taint", { key: "k", value: "v", effect: "NoExecute" }, false],
  ["Exists does not look at the value", { key: "k", operator: "Exists", value: "w" }, true],
  ["no key with Exists tolerates everything", { operator: "Exists" }, true],
  ["no key with Equal compares the value alone", { value: "v" }, true],
  ["an operator that is not known tolerates nothing", { key: "k", operator: "Gt", value: "v" }, false],
])("%s", (_, toleration, expected) => {
  expect(tolerates(toleration, taint)).toBe(expected);
});

test("the first taint that is not tolerated is named", () => {
  const taints = [taint, { key: "x", effect: "NoExecute" }, { key: "y", effect: "NoExecute" }];
  expect(untoleratedTaint(taints, [{ key: "k", operator: "Exists" }])).toBe(taints[1]);
  expect(taints.map(printTaint)).toEqual(["k=v:NoSchedule", "x:NoExecute", "y:NoExecute"]);
});
