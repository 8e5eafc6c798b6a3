import { expect, test } from "vitest";
import { FieldPath } from "./field-path.ts";
import { findFormatError, knowsFormat } from "./string-formats.ts";

const cases: Record<string, { good: readonly string[]; bad: readonly string[] }> = {
  "date-time": {
    good: ["2024-02-29T23:59:59Z", "2024-01-01t00:00:00.123+02:00"],
    bad: ["2023-02-29T00:00:00Z", "2024-01-01", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00"],
  },
  date: { good: ["2024-12-31"], bad: ["2024-13-01", "24-01-01", "2024-1-1"] },
  duration: { good: ["1h30m", "-1.5s", "0", "22 ns", "2 weeks"], bad: ["1 fortnight", "h", "1"] },
  byte: { good: ["aGk=", "YWJj"], bad: ["", "aGk", "a$=="] },
  ipv4: { good: ["10.0.0.1", "::ffff:1.2.3.4"], bad: ["10.0.0", "256.1.1.1", "::1"] },
  ipv6: { good: ["::1", "2001:db8::1", "::ffff:1.2.3.4"], bad: ["1.2.3.4", ":::1", "1::2::3", "12345::"] },
  cidr: { good: ["10.0.0.0/8", "::/0"], bad: ["10.0.0.0", "10.0.0.0/33", "::/129"] },
  mac: { good: ["00:1b:63:84:45:e6", "001b.6384.45e6"], bad: ["00:1b:63:84:45", "00-1b:63:84:45:e6"] },
  uuid: { good: ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"], bad: ["123e4567"] },
  hostname: { good: ["a.example.com", "localhost"], bad: ["-a.com", `${"a".repeat(64)}.com`, "a..com"] },
  uri: { good: ["https://example.com/x", "/path"], bad: ["no uri", ""] },
  "k8s-short-name": { good: ["web-1"], bad: ["Web", "a.b", "-a"] },
  password: { good: ["anything"], bad: [] },
};
for (const [format, { good, bad }] of Object.entries(cases)) {
  test(`${format}: ${good.join(" ")} but not ${bad.join(" ")}`, () => {
    expect(knowsFormat(format)).toBe(true);
    const refused = [...good, ...bad].filter(
      (value) => findFormatError(value, format, new FieldPath("x")) !== undefined,
    );
    expect(refused).toEqual(bad);
  });
}

test("a format that Kubernetes does not check is not known", () => {
  expect(["int-or-string", "constructor", "quantity"].filter(knowsFormat)).toEqual([]);
});
