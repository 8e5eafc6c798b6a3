import type { FieldError } from "#base/field-error.ts";
import { jsonEquals } from "#base/json.ts";
import { findEmbeddedErrors, type ResourceRules } from "./embedded-resources.ts";
import { createPatternCache, type PatternCache } from "./pattern-cache.ts";
import type { SchemaNode } from "./schema-node.ts";
import { isSurelyValid } from "./surely-valid.ts";
import { ValidationWalk } from "./validation-walk.ts";

export interface ValidateOptions {
  /** Where the value sits in the object that the user sees; empty for the whole object. */
  readonly path?: string;
  /** Hand in one that lives long: compiling a pattern costs more than a thousand matches. */
  readonly patterns?: PatternCache;
  /** What is known of resources inside the value; without it, as where there are none, nobody looks. */
  readonly embedded?: ResourceRules | undefined;
}

/**
 * What is wrong with a value, in the words of a kube-apiserver that validates a custom resource: first what the schema
 * says of each field, then duplicates in lists that are sets or maps.
 *
 * Findings that Kubernetes does not tie to a field (anyOf, number ranges) have an empty path, as there.
 */
export function validateFields(value: unknown, node: SchemaNode, options: ValidateOptions = {}): FieldError[] {
  const patterns = options.patterns ?? createPatternCache();
  if (isSurelyValid(value, node, patterns)) return embeddedErrors(value, node, options);
  const walk = new ValidationWalk(patterns, options.path ?? "");
  walk.visit(value, node);
  return [...walk.errors, ...embeddedErrors(value, node, options), ...walk.duplicates];
}

/**
 * As validateFields, but what an update leaves as it was passes, so that a stricter schema does not block unrelated
 * edits of old objects. Duplicates count only if the old object had none.
 */
export function validateFieldsUpdate(
  value: unknown,
  node: SchemaNode,
  options: ValidateOptions & { readonly old: unknown },
): FieldError[] {
  const patterns = options.patterns ?? createPatternCache();
  if (isSurelyValid(value, node, patterns)) return embeddedErrors(value, node, options);
  const walk = new ValidationWalk(patterns, options.path ?? "");
  walk.visitUpdate(value, options.old, node);
  const errors = [...walk.errors, ...embeddedErrors(value, node, options)];
  if (walk.duplicates.length === 0) return errors;
  const oldWalk = new ValidationWalk(patterns, options.path ?? "");
  oldWalk.visit(options.old, node);
  const wasClean = oldWalk.duplicates.length === 0 && !jsonEquals(value, options.old);
  return wasClean ? [...errors, ...walk.duplicates] : errors;
}

/**
 * What is wrong with a default, where Kubernetes looks less closely: duplicates pass, an int-or-string may be anything, and a format that
 * it does not know counts as one.
 */
export function validateDefault(value: unknown, node: SchemaNode): readonly FieldError[] {
  const walk = new ValidationWalk(createPatternCache(), "", { isDefault: true });
  walk.visit(value, node);
  return walk.errors;
}

function embeddedErrors(value: unknown, node: SchemaNode, { embedded, path = "" }: ValidateOptions): FieldError[] {
  return embedded === undefined ? [] : findEmbeddedErrors(value, node, { rules: embedded, path });
}
