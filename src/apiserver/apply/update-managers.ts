import type { Comparison } from "./compare-objects.ts";
import { difference, type FieldSet, intersection, isEmptySet, recursiveDifference, union } from "./field-set.ts";
import { type ManagedFields, setFields } from "./managed-fields.ts";

/** Fields of every object that belong to the API server and hence to no manager. */
export const unmanagedFields: FieldSet = {
  "f:apiVersion": {},
  "f:kind": {},
  "f:metadata": {
    ".": {},
    "f:name": {},
    "f:namespace": {},
    "f:creationTimestamp": {},
    "f:selfLink": {},
    "f:uid": {},
    "f:clusterName": {},
    "f:generation": {},
    "f:managedFields": {},
    "f:resourceVersion": {},
  },
};

/** What a write changed of what it may write: all but the fields that its endpoint ignores, with all below them. */
export function changesWithout(ignored: FieldSet, { removed, modified, added }: Comparison): Comparison {
  return {
    removed: recursiveDifference(removed, ignored),
    modified: recursiveDifference(modified, ignored),
    added: recursiveDifference(added, ignored),
  };
}

/** What changed, and the key of who changed it; empty for an updater, who is nobody yet. */
export interface Write {
  readonly changes: Comparison;
  readonly writer: string;
}

/** What others own of the fields that a write sets to another value, by manager. */
export function findConflicts(managed: ManagedFields, { changes, writer }: Write): Map<string, FieldSet> {
  const set = union(changes.modified, changes.added);
  const conflicts = new Map<string, FieldSet>();
  for (const [key, entry] of managed) {
    if (key === writer) continue;
    const taken = intersection(entry.fields, set);
    if (!isEmptySet(taken)) conflicts.set(key, taken);
  }
  return conflicts;
}

/** Takes changed and removed fields from everyone but the writer. */
export function takeFromOthers(managed: ManagedFields, { changes, writer }: Write): void {
  const taken = union(changes.modified, changes.added);
  for (const [key, entry] of managed) {
    if (key === writer) continue;
    const left = difference(difference(entry.fields, taken), changes.removed);
    if (left !== entry.fields) setFields(managed, key, { ...entry, fields: left });
  }
}
