import type { ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import { isJsonObject, type Json, jsonEquals, quoted } from "#base/json.ts";
import { sortFew } from "#base/sort-few.ts";
import { type FieldSet, isEmptySet, readFieldSet, union } from "./field-set.ts";

/** One manager's share of an object. */
export interface ManagedEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fields: FieldSet;
}

/** Shares by manager; see managerKey. */
export type ManagedFields = Map<string, ManagedEntry>;

/** As many updaters as an object remembers one by one. */
export const maxUpdaters = 10;

/**
 * Who an entry belongs to: appliers are the same whatever version they apply, updaters are not. As JSON, because
 * conflicts are listed in the order of these texts.
 */
export function managerKey({
  manager,
  operation,
  apiVersion,
  subresource = "",
}: Omit<ManagedEntry, "fields" | "time">): string {
  const who = manager === "" ? "" : `"manager":${quoted(manager)},`;
  const version = operation === "Apply" ? "" : `,"apiVersion":${quoted(apiVersion)}`;
  const part = subresource === "" ? "" : `,"subresource":${quoted(subresource)}`;
  return `{${who}"operation":"${operation}"${version}${part}}`;
}

/**
 * Reads entries as they are on the wire; undefined when one of them is none.
 *
 * Entries that equal one of `trusted` are taken as they are, for they were read and put in order before.
 */
export function readManagedFields(entries: unknown, trusted: unknown = undefined): ManagedFields | undefined {
  const managed: ManagedFields = new Map();
  if (entries === undefined || entries === null) return managed;
  if (!Array.isArray(entries)) return undefined;
  const known: readonly unknown[] = Array.isArray(trusted) ? trusted : [];
  for (const [index, raw] of entries.entries()) {
    const isKnown = entries === trusted || jsonEquals(raw, known[index]);
    const entry = readEntry(raw, isKnown);
    if (entry === undefined) return undefined;
    managed.set(managerKey(entry), entry);
  }
  return managed;
}

function readEntry(raw: unknown, isKnown: boolean): ManagedEntry | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { manager = "", operation, apiVersion, time, fieldsType, fieldsV1, subresource } = raw;
  if (operation !== "Apply" && operation !== "Update") return undefined;
  if (typeof manager !== "string" || typeof apiVersion !== "string" || apiVersion === "") return undefined;
  if (fieldsType !== "FieldsV1") return undefined;
  // What was read before is a set in canonical form.
  const fields = isKnown ? ((fieldsV1 ?? {}) as FieldSet) : readFieldSet(fieldsV1);
  if (fields === undefined) return undefined;
  return {
    manager,
    operation,
    apiVersion,
    fields,
    ...(typeof subresource === "string" && subresource !== "" ? { subresource } : {}),
    ...(typeof time === "string" ? { time } : {}),
  };
}

/** Entries for the wire: appliers first, then by time, manager, version and subresource; undefined when there are none. */
export function printManagedFields(managed: ManagedFields): ManagedFieldsEntry[] | undefined {
  if (managed.size === 0) return undefined;
  return sortEntries([...managed.values()]).map(printEntry);
}

/** Puts entries in the order of the wire, in place. */
export function sortEntries<Entry extends Printed>(entries: Entry[]): Entry[] {
  return sortFew(entries, compareEntries);
}

/** Every write prints these: built member by member, since that is far cheaper than by spreading. */
function printEntry({ manager, operation, apiVersion, time, fields, subresource }: ManagedEntry): ManagedFieldsEntry {
  const entry: { -readonly [K in keyof ManagedFieldsEntry]: ManagedFieldsEntry[K] } = {};
  if (manager !== "") entry.manager = manager;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = fields as unknown as Json; // a set is JSON
  if (subresource !== undefined) entry.subresource = subresource;
  return entry;
}

/** Leaves out what owns nothing. */
export function setFields(managed: ManagedFields, key: string, entry: ManagedEntry): void {
  if (isEmptySet(entry.fields)) managed.delete(key);
  else managed.set(key, entry);
}

/** Puts the oldest updaters of one version together as `ancient-changes` until no more than ten are left. */
export function capUpdaters(managed: ManagedFields): void {
  if (managed.size <= maxUpdaters) return;
  const updaters = [...managed].filter(([, entry]) => entry.operation === "Update");
  let excess = updaters.length - maxUpdaters;
  if (excess <= 0) return;
  updaters.sort(([keyA, a], [keyB, b]) => compareTexts(a.time ?? "", b.time ?? "") || compareTexts(keyA, keyB));
  const firstOfVersion = new Map<string, string>();
  for (const [key, entry] of updaters) {
    if (excess <= 0) return;
    const first = firstOfVersion.get(entry.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(entry.apiVersion, key);
      continue;
    }
    const bucket: Omit<ManagedEntry, "fields"> = {
      manager: "ancient-changes",
      operation: "Update",
      apiVersion: entry.apiVersion,
      ...(entry.time === undefined ? {} : { time: entry.time }),
    };
    const bucketKey = managerKey(bucket);
    const collected = managed.get(bucketKey) ?? managed.get(first)!;
    if (!managed.has(bucketKey)) managed.delete(first);
    managed.delete(key);
    managed.set(bucketKey, { ...bucket, fields: union(entry.fields, collected.fields) });
    excess--;
  }
}

type Printed = Partial<Omit<ManagedEntry, "fields">>;

function compareEntries(a: Printed, b: Printed): number {
  return (
    compareTexts(a.operation ?? "", b.operation ?? "") ||
    // Whole seconds in one form: the texts sort as the times do.
    compareTexts(a.time ?? "", b.time ?? "") ||
    compareTexts(a.manager ?? "", b.manager ?? "") ||
    compareTexts(a.apiVersion ?? "", b.apiVersion ?? "") ||
    compareTexts(a.subresource ?? "", b.subresource ?? "")
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
