import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { printGoJson } from "#base/go-json.ts";
import { isJsonObject, type Json, member, RawNumber, setMember } from "#base/json.ts";
import { JsonSyntaxError, parseJson } from "#base/parse-json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { fieldsOf, findMisfits } from "./applied-fields.ts";
import { compareObjects } from "./compare-objects.ts";
import { difference, type FieldSet } from "./field-set.ts";

/** Where client-side apply keeps what it applied. */
const annotation = "kubectl.kubernetes.io/last-applied-configuration";
/** Of all annotations of an object together. */
const maxAnnotationBytes = 256 * 1024;

/** The fields that client-side apply set and that still have its values; undefined when it never applied. */
export function allowedByLastApplied(
  live: object,
  { schema, apiVersion }: { readonly schema: SchemaNode; readonly apiVersion: string },
): FieldSet | undefined {
  const last = parseLastApplied(annotationsOf(live));
  if (last === undefined || last["apiVersion"] !== apiVersion) return undefined;
  if (findMisfits(last, schema).length > 0 || findMisfits(live, schema).length > 0) return undefined;
  const { removed, modified, added } = compareObjects({ before: last, after: live, schema });
  return difference(difference(difference(fieldsOf(last, schema), modified), added), removed);
}

/**
 * A manifest as client-side apply leaves it, for a server-side apply in its place: with the annotation, whose text is settled when it is
 * applied.
 */
export function annotatedAsApplied<T extends { readonly metadata: object }>(manifest: T): T {
  const annotations = { ...annotationsOf(manifest), [annotation]: "{}" };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/**
 * A live object as if what client-side apply applied last had been applied on the server by this manager, and nobody owned anything
 * else: applying the next configuration then does what the client's three-way merge would.
 */
export function asIfApplied(live: ApiObject, { schema, manager }: { schema: SchemaNode; manager: string }): ApiObject {
  const last = parseLastApplied(annotationsOf(live));
  if (last === undefined || findMisfits(last, schema).length > 0) return live;
  const fieldsV1 = fieldsOf(last, schema) as unknown as Json; // a set is JSON
  const { apiVersion } = live;
  const managedFields = [{ manager, operation: "Apply" as const, apiVersion, fieldsType: "FieldsV1", fieldsV1 }];
  return { ...live, metadata: { ...live.metadata, managedFields } };
}

/** Keeps the annotation of client-side apply in step with what is applied; an object without one gets none. */
export function renewLastApplied(draft: Draft, applied: object): void {
  const annotations = draft.metadata.annotations;
  if (annotations === undefined || (member(annotations, annotation) ?? "") === "") return;
  annotations[annotation] = `${printGoJson(withoutAnnotation(applied))}\n`;
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) size += byteLength(key) + byteLength(value);
  if (size > maxAnnotationBytes) delete annotations[annotation];
}

function parseLastApplied(annotations: object): Record<string, unknown> | undefined {
  const text = member(annotations, annotation);
  if (typeof text !== "string" || text === "") return undefined;
  try {
    const { value } = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    // A client wrote the annotation; what cannot be read allows nothing.
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function annotationsOf(object: object): object {
  const metadata = member(object, "metadata");
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  return isJsonObject(annotations) ? annotations : {};
}

/** Members sorted, as Go prints maps. */
function withoutAnnotation(applied: object): unknown {
  const sorted = sortMembers(applied) as { metadata?: { annotations?: Record<string, unknown> } };
  const annotations = sorted.metadata?.annotations;
  if (annotations !== undefined) delete annotations[annotation];
  return sorted;
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null || value instanceof RawNumber) return value;
  const sorted: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    setMember(sorted, key, sortMembers(child));
  }
  return sorted;
}
