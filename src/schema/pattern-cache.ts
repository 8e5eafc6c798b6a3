import { RE2JS } from "re2js";
import { PatternMatcher, type PatternProgram } from "./pattern-matcher.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Compiled `pattern`s, one per schema node. They run in linear time whatever a user wrote. */
export interface PatternCache {
  /** Whether a string matches somewhere, as Go's MatchString. */
  readonly matches: (node: SchemaNode, value: string) => boolean | NoAnswer;
}

/** Why nobody can say whether a string matches: the pattern is no pattern, or would keep everybody else waiting. */
export interface NoAnswer {
  readonly broken: string;
}

/**
 * The pattern of every amount in every CRD that controller-gen made. It is written out here because the engine's own
 * matcher is ten times as fast; it takes linear time on any input.
 */
export const amountPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";
const amount =
  /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))?$/;

/** A cache that lives as long as its owner; nodes that are dropped (a deleted CRD) take their patterns along. */
export function createPatternCache(): PatternCache {
  const compiled = new WeakMap<SchemaNode, CompiledPattern>();
  return {
    matches(node, value) {
      if (node.pattern === amountPattern) return amount.test(value);
      let pattern = compiled.get(node);
      if (pattern === undefined) {
        pattern = { matcher: matcherOf(node.pattern ?? ""), answers: new Map() };
        compiled.set(node, pattern);
      }
      return matchOnce(pattern, value);
    },
  };
}

interface CompiledPattern {
  readonly matcher: Matcher | NoAnswer;
  /** Fields with patterns mostly hold one of a few words: reasons, condition types. */
  readonly answers: Map<string, boolean>;
}

interface Matcher {
  /** Undefined: it would take too long. */
  matches(value: string): boolean | undefined;
}

const rememberedAnswers = 128;
const rememberedLength = 64;

function matchOnce({ matcher, answers }: CompiledPattern, value: string): boolean | NoAnswer {
  if ("broken" in matcher) return matcher;
  const known = answers.get(value);
  if (known !== undefined) return known;
  const answer = matcher.matches(value);
  if (answer === undefined) return { broken: `comparing it with ${value.length} characters takes too long` };
  if (value.length <= rememberedLength && answers.size < rememberedAnswers) answers.set(value, answer);
  return answer;
}

function matcherOf(pattern: string): Matcher | NoAnswer {
  const compiled = compilePattern(pattern);
  if ("broken" in compiled) return compiled;
  const program = compiled.re2().prog as PatternProgram; // re2js leaves it untyped
  return PatternMatcher.understands(program)
    ? new PatternMatcher(program)
    : { matches: (value) => compiled.test(value) };
}

/** Compiles a pattern in RE2 syntax, or says what is wrong with it. */
export function compilePattern(pattern: string): RE2JS | NoAnswer {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { broken: text.endsWith("trailing backslash at end of expression") ? `${text}: \`\`` : text }; // as Go ends it
  }
}
