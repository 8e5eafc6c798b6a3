import { RE2JS } from "re2js";
import type { SchemaNode } from "./schema-node.ts";

/** Compiled `pattern`s, one per schema node. They run in linear time whatever a user wrote. */
export interface PatternCache {
  /** Whether a string matches somewhere, as Go's MatchString; the compiler's message when the pattern is broken. */
  readonly matches: (node: SchemaNode, value: string) => boolean | { readonly broken: string };
}

/** A cache that lives as long as its owner; nodes that are dropped (a deleted CRD) take their patterns along. */
export function createPatternCache(): PatternCache {
  const compiled = new WeakMap<SchemaNode, RE2JS | { readonly broken: string }>();
  return {
    matches(node, value) {
      let pattern = compiled.get(node);
      if (pattern === undefined) {
        pattern = compilePattern(node.pattern ?? "");
        compiled.set(node, pattern);
      }
      return pattern instanceof RE2JS ? pattern.matcher(value).find() : pattern;
    },
  };
}

/** Compiles a pattern in RE2 syntax, or says what is wrong with it. */
export function compilePattern(pattern: string): RE2JS | { readonly broken: string } {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) };
  }
}
