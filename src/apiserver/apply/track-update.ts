/**
 * Who owns which field, kept up to date for every write that is not an apply.
 *
 *   managedFields of the request, else of the live object
 *     -> fields that changed leave their owners, removed fields leave everyone
 *     -> changed fields go to the writer, who is one with his earlier updates
 *     -> at most ten updaters
 *
 * Upstream: apimachinery util/managedfields, structured-merge-diff merge/update.go.
 */
import type { Draft } from "#api/meta/object-meta.ts";
import { isJsonObject, member } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { difference, type FieldSet, isEmptySet, union } from "./field-set.ts";
import {
  capUpdaters,
  type ManagedEntry,
  type ManagedFields,
  managerKey,
  printManagedFields,
  readManagedFields,
  setFields,
} from "./managed-fields.ts";
import { changesOf, takeFromOthers, unmanagedFields } from "./update-managers.ts";

export interface UpdateFacts {
  readonly schema: SchemaNode;
  /** The stored object; undefined for a create. */
  readonly old: object | undefined;
  /** The object that is to be stored, defaults filled in. Its managedFields are those of the request, if any. */
  readonly next: Draft;
  /** The field manager, or what stands before the first slash of the user agent. */
  readonly manager: string;
  readonly subresource?: string;
  /** RFC 3339, whole seconds. */
  readonly time: string;
  /** Of the request. */
  readonly apiVersion: string;
  /** What an object of this kind has before anyone writes to it: the zero value of a built-in kind. */
  readonly zero?: object;
  /** Fields that this endpoint does not write: `status` of the whole object, `spec` of its status. */
  readonly ignored?: FieldSet;
}

/** Sets the draft's managedFields to who owns what once it is stored; the draft is changed and returned. */
export function trackUpdate(facts: UpdateFacts): Draft {
  const { next, old } = facts;
  const managed = managedBefore(facts);
  delete next.metadata.managedFields;
  // An object that once was cleared of managers stays so until someone applies.
  if (managed.size === 0 && old !== undefined) return next;
  recordUpdate(managed, { ...facts, before: old ?? facts.zero ?? {}, after: next });
  const entries = printManagedFields(managed);
  if (entries !== undefined) next.metadata.managedFields = entries;
  return next;
}

export interface RecordFacts extends Omit<UpdateFacts, "old" | "next"> {
  readonly before: object;
  readonly after: object;
}

/** Moves what changed between two states to an updater. */
export function recordUpdate(managed: ManagedFields, facts: RecordFacts): void {
  const ignored = facts.ignored ?? {};
  const changes = changesOf({ before: facts.before, after: facts.after, schema: facts.schema, ignored });
  takeFromOthers(managed, changes, "");
  const gained = difference(union(changes.modified, changes.added), unmanagedFields);
  if (!isEmptySet(gained)) gain(managed, gained, facts);
  capUpdaters(managed);
}

function gain(managed: ManagedFields, gained: FieldSet, { manager, subresource, apiVersion, time }: RecordFacts): void {
  const entry: Omit<ManagedEntry, "fields"> = {
    manager: manager === "" ? "unknown" : manager,
    operation: "Update",
    apiVersion,
    time,
    ...(subresource === undefined ? {} : { subresource }),
  };
  const key = managerKey(entry);
  setFields(managed, key, { ...entry, fields: union(gained, managed.get(key)?.fields ?? {}) });
}

/** A request may set managedFields itself, or clear them with `[]` or `[{}]`; through a subresource it may not. */
function managedBefore({ old, next, subresource }: UpdateFacts): ManagedFields {
  const stored = managedFieldsOf(old);
  const sent: unknown = next.metadata.managedFields;
  if (subresource === undefined && isReset(sent)) return new Map();
  if (subresource === undefined && sent !== stored) {
    const managed = readManagedFields(sent, stored);
    if (managed !== undefined && managed.size > 0) return managed;
  }
  return readManagedFields(stored, stored) ?? new Map();
}

/** The entries of a stored object. */
export function managedFieldsOf(object: object | undefined): unknown {
  const metadata = object === undefined ? undefined : member(object, "metadata");
  return isJsonObject(metadata) ? metadata["managedFields"] : undefined;
}

function isReset(entries: unknown): boolean {
  if (!Array.isArray(entries)) return false;
  return (
    entries.length === 0 || (entries.length === 1 && isJsonObject(entries[0]) && Object.keys(entries[0]).length === 0)
  );
}
