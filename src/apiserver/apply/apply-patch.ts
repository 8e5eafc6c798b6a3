/**
 * Server-side apply: lays the applied configuration over the live object, removes what its manager applied before and
 * does not apply now and nobody else owns, and refuses to change what others own unless forced.
 *
 * Upstream: apimachinery util/managedfields, structured-merge-diff merge/update.go.
 */
import type { Draft } from "#api/meta/object-meta.ts";
import { cloneJson, isJsonObject, jsonEquals } from "#base/json.ts";
import { findConversionError } from "#schema/convert-types.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { fieldsOf, findMisfits } from "./applied-fields.ts";
import { compareObjects } from "./compare-objects.ts";
import { type ConflictReport, reportConflicts } from "./conflicts.ts";
import { difference, type FieldSet, intersection, isEmptySet, recursiveDifference, union } from "./field-set.ts";
import { allowedByLastApplied, renewLastApplied } from "./last-applied.ts";
import { type ManagedEntry, type ManagedFields, managerKey, printManagedFields, setFields } from "./managed-fields.ts";
import { overlayObject } from "./merge-objects.ts";
import { withNamedFields, withoutItems } from "./remove-items.ts";
import { managedFieldsOf, readStored, recordChanges } from "./track-update.ts";
import { changesWithout, findConflicts, takeFromOthers, unmanagedFields } from "./update-managers.ts";

export interface ApplyFacts {
  readonly schema: SchemaNode;
  /** The stored object; undefined when the apply creates it. */
  readonly live: object | undefined;
  /** The configuration as it was sent. */
  readonly applied: object;
  readonly manager: string;
  /** Take over what others own. */
  readonly force: boolean;
  readonly subresource?: string;
  /** RFC 3339, whole seconds. */
  readonly time: string;
  /** Of the request. */
  readonly apiVersion: string;
  readonly kind: string;
  /** What an object of this kind has before anyone writes to it: the zero value of a built-in kind. */
  readonly zero?: object;
  /** Fields that this endpoint does not write: `status` of the whole object, `spec` of its status. */
  readonly ignored?: FieldSet;
}

export type ApplyResult =
  /** A draft of its own, defaults still to be filled in, managedFields set. */
  | { readonly ok: true; readonly object: Draft }
  | ({ readonly ok: false; readonly why: "conflict" } & ConflictReport)
  /** `invalid`: a field that the schema does not have or that is of another kind; Kubernetes answers 500. */
  | { readonly ok: false; readonly why: "invalid" | "badRequest"; readonly message: string };

/** Applies a configuration. */
export function applyPatch(facts: ApplyFacts): ApplyResult {
  const refusal = refuse(facts);
  if (refusal !== undefined) return refusal;
  const managed = managedBefore(facts);
  const entry = applierOf(facts);
  const attempt = { ...facts, base: baseOf(facts), managed, entry, key: managerKey(entry) };
  const merged = mergeConfiguration(attempt);
  const { schema, ignored = {} } = facts;
  const changes = changesWithout(ignored, compareObjects({ before: attempt.base, after: merged.object, schema }));
  if (!facts.force) {
    const conflicts = withoutAllowed(findConflicts(merged.managed, { changes, writer: attempt.key }), facts);
    if (conflicts.size > 0) return { ok: false, why: "conflict", ...reportConflicts(conflicts, merged.managed) };
  }
  takeFromOthers(merged.managed, { changes, writer: attempt.key });
  return { ok: true, object: finish(attempt, merged) };
}

interface Attempt extends ApplyFacts {
  readonly base: object;
  readonly managed: ManagedFields;
  /** The applier, without fields. */
  readonly entry: Omit<ManagedEntry, "fields">;
  readonly key: string;
}

interface Merged {
  readonly object: object;
  readonly managed: ManagedFields;
}

function refuse({ applied, schema, apiVersion, kind }: ApplyFacts): ApplyResult | undefined {
  if (hasManagedFields(applied, schema)) {
    return { ok: false, why: "badRequest", message: "metadata.managedFields must be nil" };
  }
  const misfits = findMisfits(applied, schema);
  if (misfits.length === 0) return undefined;
  const detail = misfits.length === 1 ? misfits[0] : ["errors:", ...misfits.map((line) => `  ${line}`)].join("\n");
  // The core group prints as an empty one.
  const name = `${nameOf(applied)}; ${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${kind}`;
  return { ok: false, why: "invalid", message: `failed to create typed patch object (${name}): ${detail}` };
}

/** Managed fields that cannot be read as such count as none: what is wrong with them is told with all else. */
function hasManagedFields(applied: object, schema: SchemaNode): boolean {
  const sent = managedFieldsOf(applied);
  if (!Array.isArray(sent)) return false;
  const entry = schema.properties?.["metadata"]?.properties?.["managedFields"]?.items ?? {};
  return sent.every((each) => isJsonObject(each) && findConversionError(each, entry) === undefined);
}

function nameOf(object: object): string {
  const metadata = (object as { metadata?: unknown }).metadata;
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  return [namespace, name].map((text) => (typeof text === "string" ? text : "")).join("/");
}

function baseOf({ live, zero, apiVersion, kind }: ApplyFacts): object {
  return live ?? zero ?? { apiVersion, kind };
}

/** Fields of an object that has no managers yet belong to `before-first-apply`, or applying would take them unseen. */
function managedBefore(facts: ApplyFacts): ManagedFields {
  const managed = readStored(managedFieldsOf(facts.live));
  if (managed.size > 0 || facts.live === undefined) return managed;
  const before = baseOf({ ...facts, live: undefined });
  const { schema, live, ignored = {} } = facts;
  const changes = changesWithout(ignored, compareObjects({ before, after: live, schema }));
  recordChanges(managed, changes, { ...facts, manager: "before-first-apply" });
  return managed;
}

function applierOf({ manager, subresource, apiVersion }: ApplyFacts): Omit<ManagedEntry, "fields"> {
  return { manager, operation: "Apply", apiVersion, ...(subresource === undefined ? {} : { subresource }) };
}

function mergeConfiguration({ applied, base, schema, ignored = {}, managed, entry, key }: Attempt): Merged {
  const merged = overlayObject(base, applied, schema);
  const last = managed.get(key);
  const fields = recursiveDifference(fieldsOf(applied, schema), ignored);
  managed.set(key, { ...entry, fields, ...(last?.time === undefined ? {} : { time: last.time }) });
  const object = last === undefined ? merged : prune({ merged, schema, managed, last: last.fields });
  return { object, managed };
}

interface PruneFacts {
  readonly merged: object;
  readonly schema: SchemaNode;
  readonly managed: ManagedFields;
  /** What the manager applied last time. */
  readonly last: FieldSet;
}

/** Removes what the manager no longer applies, unless another manager or the new configuration owns it. */
function prune({ merged, schema, managed, last }: PruneFacts): object {
  const named = (set: FieldSet) => withNamedFields(set, schema);
  const all = named(fieldsOf(merged, schema));
  const bare = withoutItems(merged, named(last), schema);
  let owned: FieldSet = {};
  for (const entry of managed.values()) owned = union(owned, entry.fields);
  const kept = union(named(fieldsOf(bare, schema)), named(owned));
  const pruned = withoutItems(merged, difference(all, kept), schema);
  // Only what this manager had may go: fields that nobody owns stay.
  const gone = intersection(difference(all, named(fieldsOf(pruned, schema))), named(last));
  return withoutItems(merged, gone, schema);
}

/** kubectl moves from client-side to server-side apply: what it last applied itself is no conflict. */
function withoutAllowed(conflicts: Map<string, FieldSet>, facts: ApplyFacts): Map<string, FieldSet> {
  if (facts.manager !== "kubectl" || conflicts.size === 0 || facts.live === undefined) return conflicts;
  const allowed = allowedByLastApplied(facts.live, facts);
  if (allowed === undefined) return conflicts;
  const rest = new Map<string, FieldSet>();
  for (const [key, fields] of conflicts) {
    const outside = difference(fields, allowed);
    if (!isEmptySet(outside)) rest.set(key, outside);
  }
  return rest;
}

function finish({ base, applied, manager, time, key }: Attempt, { object, managed }: Merged): Draft {
  const isUnchanged = jsonEquals(base, object);
  const entry = managed.get(key)!;
  const fields = difference(entry.fields, unmanagedFields);
  setFields(managed, key, isUnchanged ? { ...entry, fields } : { ...entry, fields, time });
  // What was merged is an object with the metadata of its parts.
  const draft = cloneJson(object) as Draft;
  draft.metadata ??= {};
  const entries = printManagedFields(managed);
  if (entries === undefined) delete draft.metadata.managedFields;
  else draft.metadata.managedFields = entries;
  if (manager === "kubectl") renewLastApplied(draft, applied);
  return draft;
}
