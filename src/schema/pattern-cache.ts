import { RE2JS } from "re2js";
import type { SchemaNode } from "./schema-node.ts";

/** Compiled `pattern`s, one per schema node. They run in linear time whatever a user wrote. */
export interface PatternCache {
  /** Whether a string matches somewhere, as Go's MatchString; the compiler's message when the pattern is broken. */
  readonly matches: (node: SchemaNode, value: string) => boolean | { readonly broken: string };
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
        pattern = { program: compilePattern(node.pattern ?? ""), answers: new Map() };
        compiled.set(node, pattern);
      }
      return matchOnce(pattern, value);
    },
  };
}

interface CompiledPattern {
  readonly program: RE2JS | { readonly broken: string };
  /** Fields with patterns mostly hold one of a few words: reasons, condition types. */
  readonly answers: Map<string, boolean>;
}

const rememberedAnswers = 128;
const rememberedLength = 64;

function matchOnce({ program, answers }: CompiledPattern, value: string): boolean | { readonly broken: string } {
  if ("broken" in program) return program;
  const known = answers.get(value);
  if (known !== undefined) return known;
  const answer = program.matcher(value).find();
  if (value.length <= rememberedLength && answers.size < rememberedAnswers) answers.set(value, answer);
  return answer;
}

/** Compiles a pattern in RE2 syntax, or says what is wrong with it. */
export function compilePattern(pattern: string): RE2JS | { readonly broken: string } {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) };
  }
}
