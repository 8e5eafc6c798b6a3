import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonEquals, stringifyJson } from "./json.ts";
import { parseYaml, parseYamlDocuments } from "./parse-yaml.ts";
import { printYaml } from "./print-yaml.ts";

/** As Go's sigs.k8s.io/yaml turns them into JSON. */
const scalars: Readonly<Record<string, string>> = {
  y: "true",
  Yes: "true",
  off: "false",
  "~": "null",
  "": "null",
  "0644": "420",
  "0o17": "15",
  "0x1F": "31",
  "0b101": "5",
  "1_000": "1000",
  "+5": "5",
  "-7": "-7",
  "1.0": "1",
  "1e3": "1000",
  ".5": "0.5",
  "22:22": '"22:22"',
  "2001-12-14": '"2001-12-14"',
  "1.2.3": '"1.2.3"',
  "9007199254740993": "9007199254740993",
  "18446744073709551615": "18446744073709551615",
  "'y'": '"y"',
  '"0644"': '"0644"',
  "!!str 5": '"5"',
  "08": "8",
  "1Gi": '"1Gi"',
};

describe("plain scalars mean what they mean to kubectl", () => {
  for (const [yaml, json] of Object.entries(scalars)) {
    test(`${JSON.stringify(yaml)} is ${json}`, () => {
      expect(stringifyJson(parseYaml(`a: ${yaml}\n`).value)).toBe(`{"a":${json}}`);
    });
  }
});

describe("documents", () => {
  test("several documents, empty ones left out", () => {
    const documents = parseYamlDocuments("# head\n---\na: 1\n---\n\n---\nb: [x, {c: d}]\n...\n");
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { b: ["x", { c: "d" }] }]);
  });

  test("anchors, aliases and merge keys", () => {
    const { value } = parseYaml("base: &b {x: 1, z: 2}\nuse:\n  <<: *b\n  z: 3\nagain: *b\n");
    expect(value).toEqual({ base: { x: 1, z: 2 }, use: { x: 1, z: 3 }, again: { x: 1, z: 2 } });
  });

  test("duplicate keys are reported, numeric keys become strings", () => {
    const { value, duplicates } = parseYaml("a:\n  b: 1\n  b: 2\n80: http\ntrue: t\n");
    expect(value).toEqual({ a: { b: 2 }, "80": "http", true: "t" });
    expect(duplicates).toEqual(["a.b"]);
  });

  test("what is printed is read back the same", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 })), (value) => {
        expect(jsonEquals(parseYaml(printYaml(value)).value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("SEC-36: hostile YAML is refused quickly", () => {
  const laughs = Array.from(
    { length: 9 },
    (_, i) =>
      `l${i + 1}: &l${i + 1} [${Array(9)
        .fill(i === 0 ? '"x"' : `*l${i}`)
        .join(",")}]`,
  ).join("\n");
  const cases: Readonly<Record<string, { yaml: string; says: RegExp }>> = {
    "nine levels of laughs": { yaml: laughs, says: /more than/ },
    "an alias to itself": { yaml: "a: &a [*a]", says: /unknown anchor/ },
    "a custom tag": { yaml: "a: !!js/function x", says: /tag/ },
    "a tag of its own": { yaml: "a: !mine x", says: /tag !mine/ },
    "depth 5,000": { yaml: "[".repeat(5_000) + "]".repeat(5_000), says: /nested|depth|deep/i },
    infinity: { yaml: "a: .inf", says: /JSON/ },
    "an unknown alias": { yaml: "a: *nope", says: /unknown anchor|unidentified/ },
    "a tab as indentation": { yaml: "a:\n\tb: 1", says: /./ },
    "a mapping as key": { yaml: "{a: 1}: b", says: /scalar/ },
  };
  for (const [name, { yaml, says }] of Object.entries(cases)) {
    test(name, () => {
      const started = process.hrtime.bigint();
      expect(() => parseYaml(yaml)).toThrow(says);
      expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(1_000);
    });
  }

  test("__proto__ stays data", () => {
    const { value } = parseYaml("__proto__: {polluted: true}\n<<: {constructor: 1}\n");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.keys(value as object).sort()).toEqual(["__proto__", "constructor"]);
  });
});
