import { expect, test } from "vitest";
import { labelValueErrors, nameErrors, namePrefixErrors, qualifiedNameErrors } from "./names.ts";
import type { NameRule } from "./resource-type.ts";

const rows: Record<string, { value: string; rule: NameRule; problems: RegExp[] }> = {
  "a subdomain may have dots": { value: "a.b-c.d", rule: "dns-subdomain", problems: [] },
  "a subdomain has no capitals or underscores": {
    value: "Bad_Name",
    rule: "dns-subdomain",
    problems: [
      /^a lowercase RFC 1123 subdomain must consist .* \(e\.g\. 'example\.com', regex used for validation is '/,
    ],
  },
  "a label has no dots": { value: "a.b", rule: "dns-label", problems: [/^must not contain dots$/] },
  "a label has 63 characters at most": {
    value: "a".repeat(64),
    rule: "dns-label",
    problems: [/^must be no more than 63 characters$/],
  },
  "a service name starts with a letter": {
    value: "1a",
    rule: "dns-1035-label",
    problems: [/^a DNS-1035 label must .* \(e\.g\. 'my-name', {2}or 'abc-123', regex used/],
  },
  "an RBAC name may have colons and capitals": { value: "system:Node", rule: "path-segment", problems: [] },
  "an RBAC name has no slash": { value: "a/b", rule: "path-segment", problems: [/^may not contain '\/'$/] },
  "an RBAC name is no relative path": { value: "..", rule: "path-segment", problems: [/^may not be '\.\.'$/] },
};
for (const [name, { value, rule, problems }] of Object.entries(rows)) {
  test(name, () => {
    const found = nameErrors(value, rule);
    expect(found).toHaveLength(problems.length);
    for (const [index, problem] of problems.entries()) expect(found[index]).toMatch(problem);
  });
}

test("a generateName may end with a dash, a name may not", () => {
  expect(namePrefixErrors("web-")).toEqual([]);
  expect(nameErrors("web-")).toHaveLength(1);
});

test("a qualified name has a DNS prefix and a short name", () => {
  expect(qualifiedNameErrors("example.com/My_Name.1")).toEqual([]);
  expect(qualifiedNameErrors("/x")).toEqual(["prefix part must be non-empty"]);
  expect(qualifiedNameErrors("a/b/c")[0]).toMatch(
    /^a valid label key must consist of .* with an optional DNS subdomain prefix and '\/'/,
  );
  expect(qualifiedNameErrors(`a/${"x".repeat(64)}`)).toEqual(["name part must be no more than 63 bytes"]);
  expect(qualifiedNameErrors("")[0]).toBe("name part must be non-empty");
});

test("a label value may be empty", () => {
  expect(labelValueErrors("")).toEqual([]);
  expect(labelValueErrors("a b")[0]).toMatch(
    /^a valid label must be an empty string or consist of alphanumeric characters/,
  );
});
