import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldErrorMessage } from "#base/field-error.ts";
import {
  type LabelRequirements,
  labelSelectorErrors,
  matchesLabels,
  printLabelRequirements,
  printLabelSelector,
  selectsLabels,
} from "./label-selector.ts";
import { parseLabelSelector } from "./parse-label-selector.ts";

const matches: Record<string, { selector: string; labels: Record<string, string>; selected: boolean }> = {
  "an empty selector selects everything": { selector: "", labels: {}, selected: true },
  "equality needs the same value": { selector: "a=1", labels: { a: "1" }, selected: true },
  "double equals means the same": { selector: "a==1", labels: { a: "2" }, selected: false },
  "inequality holds for an absent key": { selector: "a!=1", labels: {}, selected: true },
  "a set holds any of its values": { selector: "a in (1, 2)", labels: { a: "2" }, selected: true },
  "notin holds for an absent key": { selector: "a notin (1)", labels: {}, selected: true },
  "a bare key asks for presence": { selector: "a", labels: { a: "" }, selected: true },
  "a negated key asks for absence": { selector: "!a", labels: { a: "" }, selected: false },
  "numbers compare as numbers": { selector: "a>9", labels: { a: "10" }, selected: true },
  "text is never greater than a number": { selector: "a>9", labels: { a: "x" }, selected: false },
  "an empty value is a value": { selector: "a=,b", labels: { a: "", b: "" }, selected: true },
  "an empty place in a set is the empty value": { selector: "a in (1,,2)", labels: { a: "" }, selected: true },
  "every requirement must hold": { selector: "a=1,b=2", labels: { a: "1" }, selected: false },
  "names of operators may be keys and values": { selector: "in in (notin)", labels: { in: "notin" }, selected: true },
  "members of Object.prototype are no labels": { selector: "constructor", labels: {}, selected: false },
};
for (const [name, { selector, labels, selected }] of Object.entries(matches)) {
  test(name, () => expect(matchesLabels(requirements(selector), labels)).toBe(selected));
}

const refusals: Record<string, string> = {
  ",": "found ',', expected: !, identifier, or 'end of string'",
  "a,": "found '', expected: identifier after ','",
  "a=1=2": "found '=', expected: ',' or 'end of string'",
  "!a=1": "found '=', expected: ',' or 'end of string'",
  "a b": "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  "a=(": "unable to parse requirement: found '(', expected: identifier",
  "a in b": "unable to parse requirement: found 'b' expected: '('",
  "a in (": "unable to parse requirement: found '', expected: ',', ')' or identifier",
  "a in (b": "unable to parse requirement: found '', expected: ',' or ')'",
  "a in (b,": "unable to parse requirement: found '', expected: ',', or identifier",
  "a>x":
    "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
  "a/b/c":
    "unable to parse requirement: <nil>: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  "a=$":
    "unable to parse requirement: values[0][a]: Invalid value: \"$\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
};
for (const [selector, message] of Object.entries(refusals)) {
  test(`the selector ${JSON.stringify(selector)} is refused in Kubernetes' words`, () => {
    expect(parseLabelSelector(selector)).toEqual({ ok: false, error: message });
  });
}

test("a LabelSelector object prints sorted by key, with sorted values", () => {
  const selector = {
    matchLabels: { b: "2", a: "1" },
    matchExpressions: [
      { key: "c", operator: "In", values: ["y", "x"] },
      { key: "d", operator: "DoesNotExist" },
      { key: "e", operator: "Exists" },
    ],
  };
  expect(printLabelSelector(selector)).toBe("a=1,b=2,c in (x,y),!d,e");
  expect(selectsLabels(selector, { a: "1", b: "2", c: "x", e: "" })).toBe(true);
  expect(selectsLabels(undefined, { a: "1" })).toBe(false);
});

test("errors of a LabelSelector object name the field", () => {
  const errors = labelSelectorErrors(
    {
      matchExpressions: [
        { key: "a", operator: "In" },
        { key: "b", operator: "Maybe" },
        { key: "c", operator: "Exists", values: ["x"] },
      ],
    },
    "spec.selector",
  );
  expect(errors.map(fieldErrorMessage)).toEqual([
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    'spec.selector.matchExpressions[1].operator: Invalid value: "Maybe": not a valid selector operator',
    "spec.selector.matchExpressions[2].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  ]);
});

test("what is printed reads back as the same requirements", () => {
  const word = fc.stringMatching(/^[a-z]([a-z0-9]{0,4})$/);
  const requirement = fc.oneof(
    fc.record({ key: word, operator: fc.constantFrom("=", "==", "!="), values: word.map((value) => [value]) }),
    fc.record({ key: word, operator: fc.constantFrom("exists", "!"), values: fc.constant([]) }),
    fc.record({
      key: word,
      operator: fc.constantFrom("in", "notin"),
      values: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((values) => values.toSorted()),
    }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(requirement, { selector: ({ key }) => key, maxLength: 4 }), (drawn) => {
      const text = printLabelRequirements(drawn as Parameters<typeof printLabelRequirements>[0]);
      expect(printLabelRequirements(requirements(text)).split(",").toSorted()).toEqual(text.split(",").toSorted());
    }),
  );
});

function requirements(text: string): LabelRequirements {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.selector;
}
