import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goodExpressions } from "#test/compare/expression-questions.ts";
import { conditionNames as names } from "../admissionregistration/match-condition-rules.ts";
import { celProblem } from "./judge-cel.ts";

describe("expressions that people write are taken", () => {
  test.each(goodExpressions)("%s", (expression) => {
    expect(celProblem(expression, names)).toBeUndefined();
  });
});

/** As kube-apiserver 1.36 puts it. */
const refused: readonly (readonly [string, string])[] = [
  ["b", "compilation failed: ERROR: <input>:1:1: undeclared reference to 'b' (in container '')\n | b\n | ^"],
  ["a b", "compilation failed: ERROR: <input>:1:3: Syntax error: extraneous input 'b' expecting <EOF>\n | a b\n | ..^"],
  ["..", "compilation failed: ERROR: <input>:1:2: Syntax error: no viable alternative at input '..'\n | ..\n | .^"],
  ["-5", "must evaluate to bool but got int"],
  ["object.a", "must evaluate to bool but got dyn"],
  ["[1].map(i, i)", "must evaluate to bool but got list(int)"],
  ["request.operation + 'b'", "must evaluate to bool but got string"],
  [
    "2u + 1",
    "compilation failed: ERROR: <input>:1:4: found no matching overload for '_+_' applied to '(uint, int)'\n | 2u + 1\n | ...^",
  ],
  [
    "request || object",
    "compilation failed: ERROR: <input>:1:1: expected type 'bool' but found 'kubernetes.AdmissionRequest'\n | request || object\n | ^",
  ],
  [
    "has(object.a) . x",
    "compilation failed: ERROR: <input>:1:15: type 'bool' does not support field selection\n | has(object.a) . x\n | ..............^",
  ],
];

describe("others are refused in Kubernetes' words", () => {
  test.each(refused)("%s", (expression, problem) => {
    expect(celProblem(expression, names)).toBe(problem);
  });
});

test("however deep or long an expression is, it is judged", () => {
  for (const part of ["(", "[", "!", "-", "a.", "a[", "1 + ", "true || ", "true ? true : ", "{1: ", "'", "a("]) {
    expect(() => celProblem(part.repeat(Math.floor(99_000 / part.length)), names)).not.toThrow();
  }
});

test("any text is judged", () => {
  const piece = fc.constantFrom(..."()[]{}.,:?!&|=<>+-*/%'\"\\ \nabin10u", "true", "object", "has", "all", "é");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      celProblem(pieces.join(""), names);
    }),
  );
});

describe("an expression full of faults is told of in bounded words", () => {
  const rows = { "no tokens at all": "$".repeat(90_000), "names of nothing": `${"a||".repeat(30_000)}a` };
  test.each(Object.entries(rows))("%s", (_, expression) => {
    const problem = celProblem(expression, names) ?? "";
    expect(problem.length).toBeLessThan(20_000);
    expect(problem).toMatch(/\n[0-9]+ more errors were truncated$/);
  });

  test("a line that is not too long is shown", () => {
    expect(celProblem("a", {})).toContain("\n | a\n | ^");
  });
});
