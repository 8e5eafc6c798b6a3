import type { Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { convertNumbers, findConversionError } from "#schema/convert-types.ts";
import { findTypeError } from "#schema/decode-types.ts";
import { canonical } from "./decode-object.ts";

/** What keeps a merged document from becoming an object of a built-in kind; of several faults the one whose field its Go struct has first. */
export function findUnfit(draft: Draft, type: ResourceType): string | undefined {
  const problem = findConversionError(draft, type.schema);
  if (problem === undefined) return undefined;
  return findConversionError(canonical(type, draft), type.schema) ?? problem;
}

/** Brings numbers that no field of their type can hold to what Kubernetes' converter makes of them. */
export function convertValues(draft: Draft, type: ResourceType): void {
  if (!type.custom && findTypeError(draft, type.schema, type.kind) !== undefined) convertNumbers(draft, type.schema);
}
