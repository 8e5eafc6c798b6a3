import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { PatternMatcher, type PatternProgram } from "./pattern-matcher.ts";

const atoms = [
  "a",
  "b",
  "k",
  "s",
  ".",
  "[ab]",
  "[^a]",
  "\\w",
  "\\W",
  "\\d",
  "\\s",
  "\\n",
  "é",
  "\\p{L}",
  "(?i:K)",
  "(?i:s)",
  "",
  "𝄞",
];
const edges = ["^", "$", "\\b", "\\B", "\\A", "\\z", "(?m:^)", "(?m:$)"];
const pattern = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...atoms, ...edges),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "*?", "{2}", "{1,3}"))
      .map(([a, times]) => `(${a})${times}`),
  ),
})).pattern;
const text = fc
  .array(fc.constantFrom("a", "b", "k", "K", "s", "\u017f", "\u212a", "1", " ", "\n", "é", "𝄞", "_"), { maxLength: 12 })
  .map((units) => units.join(""));

test("it answers as re2js does, whatever the pattern", () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
      const compiled = RE2JS.compile(source);
      const matcher = matcherOf(compiled);
      for (const each of texts) expect([each, matcher.matches(each)]).toEqual([each, compiled.matcher(each).find()]);
    }),
    { numRuns: 2_000 },
  );
});

test("what it has learned of one text holds for the next, even when it had to forget", () => {
  const compiled = RE2JS.compile("(?:a|b)*a(?:a|b){9}c");
  const matcher = matcherOf(compiled);
  const texts = fc.sample(fc.array(fc.constantFrom("a", "b"), { minLength: 100, maxLength: 400 }), {
    seed: 1,
    numRuns: 200,
  });
  for (const units of texts) {
    for (const each of [units.join(""), `${units.join("")}c`])
      expect(matcher.matches(each)).toBe(compiled.matcher(each).find());
  }
});

test("it gives up rather than look at a large pattern at every character of a long text", () => {
  const matcher = matcherOf(RE2JS.compile("(?:a|b)*a(?:a|b){400}c"));
  const [units] = fc.sample(
    fc.array(fc.constantFrom("a", "b"), { minLength: 50_000, maxLength: 50_000, size: "max" }),
    { seed: 2, numRuns: 1 },
  );
  expect(matcher.matches(units!.join(""))).toBeUndefined();
  expect(matcher.matches("aaa"), "and answers the next question").toBe(false);
});

test("folding beyond ASCII and look-behinds are left to re2js", () => {
  const understands = (source: string) => PatternMatcher.understands(RE2JS.compile(source).re2().prog);
  expect([understands("^(?i:abc)$"), understands("(?i)ß"), understands("(?i)[à-ü]")]).toEqual([true, false, true]);
});

function matcherOf(compiled: RE2JS): PatternMatcher {
  const program = compiled.re2().prog as PatternProgram; // re2js leaves it untyped
  expect(PatternMatcher.understands(program)).toBe(true);
  return new PatternMatcher(program);
}
