import { expect, test } from "vitest";
import { excessOf } from "./yaml-size.ts";

test.each([
  ["anchors", "- &a x\n".repeat(60_000), "anchors, aliases and tags"],
  ["aliases in a flow", `[${"*a,".repeat(60_000)}]`, "anchors, aliases and tags"],
  ["tags", "- !!str x\n".repeat(60_000), "anchors, aliases and tags"],
  ["lines", "a: b\n".repeat(310_000), "lines and items"],
  ["items", `[${"1,".repeat(310_000)}]`, "lines and items"],
  ["documents", "a: b\n---\n".repeat(6_000), "documents"],
])("too many %s are seen before anybody reads them", (_, text, what) => {
  expect(excessOf(text)).toContain(what);
});

test.each([
  ["nothing", ""],
  ["a long list of bullets", "text: |\n".concat("  * not an alias & not an anchor! really\n".repeat(60_000))],
  ["products and addresses", `sum: ${"a*b&c ".repeat(60_000)}`],
  ["a few documents", "a: b\n---\n".repeat(1_000)],
])("%s is modest", (_, text) => {
  expect(excessOf(text)).toBeUndefined();
});
