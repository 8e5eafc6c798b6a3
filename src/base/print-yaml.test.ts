import { expect, test } from "vitest";
import { RawNumber } from "./json.ts";
import { printYaml } from "./print-yaml.ts";

const long = "a text that goes on and on, long enough to be folded over at the next blank after eighty columns";

test.each([
  [
    "lists stand at the indentation of their key",
    { a: { b: [1, { c: 2, d: [3] }, [4, 5]] } },
    "a:\n  b:\n  - 1\n  - c: 2\n    d:\n    - 3\n  - - 4\n    - 5\n",
  ],
  [
    "what looks like something else is quoted",
    { a: "1", b: "no", c: "", d: "2015-01-01", e: "12:30" },
    'a: "1"\nb: "no"\nc: ""\nd: "2015-01-01"\ne: "12:30"\n',
  ],
  [
    "what looks like syntax stands in single quotes",
    { a: "x: y", b: "#c", c: "it's", d: "- e", e: "'f" },
    "a: 'x: y'\nb: '#c'\nc: it's\nd: '- e'\ne: '''f'\n",
  ],
  [
    "what cannot be printed is escaped",
    { a: "tab\t", b: "\u{1f600}", c: "a \nb" },
    'a: "tab\\t"\nb: "\\U0001F600"\nc: "a \\nb"\n',
  ],
  [
    "lines are kept with a mark for their end",
    { a: "x\ny", b: "x\n", c: "x\n\n", d: " x\ny" },
    "a: |-\n  x\n  y\nb: |\n  x\nc: |+\n  x\n\nd: |2-\n   x\n  y\n",
  ],
  ["a long text is folded", { key: long }, `key: ${long.replace(" eighty", "\n  eighty")}\n`],
  ["empty collections stand on the line", { a: {}, b: [], c: [{}] }, "a: {}\nb: []\nc:\n- {}\n"],
  [
    "numbers are printed as Go prints them",
    [0.00001, 1e21, new RawNumber("1.0"), new RawNumber("9007199254740993")],
    "- 1e-05\n- 1e+21\n- 1\n- 9007199254740993\n",
  ],
  ["a key of several lines has marks of its own", { "a\nb": [1] }, "? |-\n  a\n  b\n: - 1\n"],
  ["a scalar is a document", "x", "x\n"],
])("%s", (_name, value, expected) => {
  expect(printYaml(value)).toBe(expected);
});

test("sorted keys: numbers by value, letters last", () => {
  const keys = ["a10", "a2", "b", "B", "1", "a02", "_", "ab", "a"];
  const printed = printYaml(Object.fromEntries(keys.map((key) => [key, 0])), { sortKeys: true });
  const order = printed
    .trim()
    .split("\n")
    .map((line) => line.replace(/: 0$/, "").replaceAll('"', ""));
  expect(order).toEqual(["_", "1", "B", "a", "a2", "a02", "a10", "ab", "b"]);
});
