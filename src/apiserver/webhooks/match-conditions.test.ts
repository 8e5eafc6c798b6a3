import { expect, test } from "vitest";
import { conditionsHold } from "./match-conditions.ts";

const jane = { name: "system:serviceaccount:a:jane", groups: [] };
const holds = (...expressions: readonly string[]) =>
  conditionsHold(
    expressions.map((expression, index) => ({ name: `c${index}`, expression })),
    jane,
  );

test("a webhook may be about one user, or about all others", () => {
  expect(holds()).toBe(true);
  expect(holds("request.userInfo.username == 'system:serviceaccount:a:jane'")).toBe(true);
  expect(holds("request.userInfo.username != 'system:serviceaccount:a:jane'")).toBe(false);
  expect(holds("request.userInfo.username != 'joe'", "request.userInfo.username == 'joe'")).toBe(false);
});

test("what else an expression says is not understood, even where another condition does not hold", () => {
  for (const expression of ["true", "request.userInfo.username != 'a' || true", "request.name == 'a'", ""])
    expect(holds("request.userInfo.username == 'joe'", expression)).toBeUndefined();
  expect(conditionsHold([{}], jane)).toBeUndefined();
});
