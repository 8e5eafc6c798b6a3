import { expect, test } from "vitest";
import { matchesNamespace, parseNamespacePattern } from "./namespace-pattern.ts";

test.each([
  ["a name means itself alone", "user1", ["user1"]],
  ["a prefix means what begins with it", "user1-*", ["user1-a", "user1-"]],
  ["a list means each of its items", "user1,user10", ["user1", "user10"]],
  ["blanks around items do not count", " user1 , user1-* ", ["user1", "user1-a", "user1-"]],
  ["a prefix without a dash means its own name too", "user1*", ["user1", "user1-a", "user10", "user1-"]],
])("%s", (_name, text, meant) => {
  const pattern = parseNamespacePattern(text);
  if ("problem" in pattern) throw new Error(pattern.problem);
  const namespaces = ["user1", "user1-a", "user10", "user1-", "default", ""];
  expect(namespaces.filter((namespace) => matchesNamespace(pattern, namespace)).toSorted()).toEqual(meant.toSorted());
});

test.each(["*", "", "a,", ",", "a,,b", "*a", "a*b", "a**", "[a-z]*", "a?", "?", "A*", "a b", "-*", "a-"])(
  "%j is refused with the legal forms",
  (text) => {
    const pattern = parseNamespacePattern(text);
    expect(pattern).toHaveProperty("problem", expect.stringContaining("{prefix}*"));
  },
);
