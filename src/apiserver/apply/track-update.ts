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
import type { Draft, ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import { isJsonObject, jsonEquals, member } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { type Comparison, compareObjects } from "./compare-objects.ts";
import { difference, type FieldSet, isEmptySet, union } from "./field-set.ts";
import type { KnownUpdates, WriterUpdate } from "./known-updates.ts";
import {
  capUpdaters,
  type ManagedEntry,
  type ManagedFields,
  managerKey,
  printManagedFields,
  readManagedFields,
  setFields,
} from "./managed-fields.ts";
import { areAboutOnly, asOwnedBy, hasOwners, soleOwner, someUid } from "./owned-sets.ts";
import { changesWithout, takeFromOthers, unmanagedFields } from "./update-managers.ts";

export interface UpdateFacts {
  readonly schema: SchemaNode;
  /** The stored object; undefined for a create. */
  readonly old: object | undefined;
  /** The object that is to be stored, defaults filled in. Its managedFields are those of the request, if any. */
  readonly next: Draft;
  /** The field manager, or what stands before the first slash of the user agent. */
  readonly manager: string;
  readonly subresource?: string | undefined;
  /** RFC 3339, whole seconds. */
  readonly time: string;
  /** Of the request. */
  readonly apiVersion: string;
  /** What an object of this kind has before anyone writes to it: the zero value of a built-in kind. */
  readonly zero?: object | undefined;
  /** Fields that this endpoint does not write: `status` of the whole object, `spec` of its status. */
  readonly ignored?: FieldSet;
  /** What like updates came to; without it each is looked at by itself. */
  readonly known?: KnownUpdates;
}

/** Sets the draft's managedFields to who owns what once it is stored; the draft is changed and returned. */
export function trackUpdate(facts: UpdateFacts): Draft {
  const { next, old, known } = facts;
  const uid = known === undefined || next.metadata.managedFields !== undefined ? undefined : soleOwner(old, next);
  const stored = old === undefined ? [] : managedFieldsOf(old);
  if (known === undefined || uid === undefined || !areEntries(stored) || !areAboutOnly(uid, stored))
    return track(facts);
  // an owner is named by its uid, like no other: but for that, thousands of objects have owners of the same fields
  const before = old === undefined ? undefined : asOwnedBy(old, someUid, known.likes(stored, uid));
  const like = { ...facts, old: before, next: asOwnedBy(next, someUid, undefined) };
  const { managedFields } = track(like, { isLikeOthers: true }).metadata;
  setEntries(next, managedFields === undefined ? undefined : known.ownedBy(managedFields, uid));
  return next;
}

/** As they are stored, where they are. */
function areEntries(stored: unknown): stored is readonly ManagedFieldsEntry[] {
  return Array.isArray(stored) && stored.every(isJsonObject);
}

function track(facts: UpdateFacts, { isLikeOthers = false } = {}): Draft {
  const { next, old, subresource, ignored = {}, known } = facts;
  const stored = managedFieldsOf(old);
  const sent: unknown = next.metadata.managedFields;
  // The same list on both sides, or it would be compared as well.
  setEntries(next, stored);
  const isKept = subresource !== undefined || sent === undefined || sent === null || jsonEquals(sent, stored);
  const update = isKept ? writerUpdate(facts, stored, isLikeOthers) : undefined;
  const recalled = update === undefined ? undefined : known?.recall(update);
  if (recalled !== undefined) {
    setEntries(next, recalled);
    return next;
  }
  const comparison = compareObjects({ schema: facts.schema, before: old ?? facts.zero ?? {}, after: next });
  const changes = changesWithout(ignored, comparison);
  if (isKept && old !== undefined && isSame(changes)) return next;
  const managed = isKept ? readStored(stored) : readSent(sent, stored);
  // An object that was once cleared of managers stays so until someone applies.
  const isTracked = managed.size > 0 || old === undefined;
  const updater = isTracked ? recordChanges(managed, changes, facts) : undefined;
  const isLearnt = isTracked && update !== undefined && known !== undefined;
  setEntries(next, isLearnt ? known.learn(update, { comparison, managed, updater }) : printManagedFields(managed));
  return next;
}

/** What others may have written just so before; undefined where they cannot have: who has owners is owned by their uids like no other. */
function writerUpdate(facts: UpdateFacts, stored: unknown, isLikeOthers: boolean): WriterUpdate | undefined {
  const { schema, old, next, zero = {}, manager, subresource = "", apiVersion, time, ignored = {} } = facts;
  if (facts.known === undefined || (hasOwners(next) && !isLikeOthers)) return undefined;
  if (old !== undefined && !(Array.isArray(stored) && stored.length > 0)) return undefined;
  return {
    states: { schema, before: old ?? zero, after: next },
    writer: `${next.kind} ${apiVersion} ${subresource} ${countOf(ignored)} ${manager}`,
    isNew: old === undefined,
    stored: Array.isArray(stored) ? stored : [], // as they were stored
    time,
  };
}

/** Who writes, and what changed by it. */
type WriterFacts = Pick<UpdateFacts, "manager" | "subresource" | "apiVersion" | "time">;

/** Which fields an endpoint ignores depends on it and on whether its kind has a status: their number tells. */
function countOf(ignored: FieldSet): number {
  let count = 0;
  for (const _ in ignored) count++;
  return count;
}

/** Moves what changed to an updater; returns its key where it gained something. */
export function recordChanges(managed: ManagedFields, changes: Comparison, writer: WriterFacts): string | undefined {
  takeFromOthers(managed, { changes, writer: "" });
  const gained = difference(union(changes.modified, changes.added), unmanagedFields);
  const updater = isEmptySet(gained) ? undefined : gain(managed, gained, writer);
  capUpdaters(managed);
  return updater;
}

function gain(
  managed: ManagedFields,
  gained: FieldSet,
  { manager, subresource, apiVersion, time }: WriterFacts,
): string {
  const entry: Omit<ManagedEntry, "fields"> = {
    manager: manager === "" ? "unknown" : manager,
    operation: "Update",
    apiVersion,
    time,
    ...(subresource === undefined ? {} : { subresource }),
  };
  const key = managerKey(entry);
  setFields(managed, key, { ...entry, fields: union(gained, managed.get(key)?.fields ?? {}) });
  return key;
}

function isSame({ removed, modified, added }: Comparison): boolean {
  return isEmptySet(removed) && isEmptySet(modified) && isEmptySet(added);
}

/** The entries of an object that we stored; they are in order. */
export function readStored(stored: unknown): ManagedFields {
  return readManagedFields(stored, stored) ?? new Map();
}

/** A request may set managedFields itself, or clear them with `[]` or `[{}]`; what makes no sense is as if not sent. */
function readSent(sent: unknown, stored: unknown): ManagedFields {
  if (isReset(sent)) return new Map();
  const managed = readManagedFields(sent, stored);
  return managed !== undefined && managed.size > 0 ? managed : readStored(stored);
}

function setEntries(draft: Draft, entries: unknown): void {
  if (entries === undefined || entries === null) delete draft.metadata.managedFields;
  // Either as printed here or as stored.
  else draft.metadata.managedFields = entries as ManagedFieldsEntry[];
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
