import type { SchemaNode } from "#schema/schema-node.ts";
import { type Comparison, compareObjects } from "./compare-objects.ts";
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

export interface ChangeFacts {
  readonly before: object;
  readonly after: object;
  readonly schema: SchemaNode;
  /** Fields that this endpoint does not write, with all below them. */
  readonly ignored: FieldSet;
}

/** What a write changed of what it may write. */
export function changesOf({ before, after, schema, ignored }: ChangeFacts): Comparison {
  const { removed, modified, added } = compareObjects(before, after, schema);
  return {
    removed: recursiveDifference(removed, ignored),
    modified: recursiveDifference(modified, ignored),
    added: recursiveDifference(added, ignored),
  };
}

/** What others own of the fields that a write sets to another value, by manager. */
export function findConflicts(managed: ManagedFields, changes: Comparison, writer: string): Map<string, FieldSet> {
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
export function takeFromOthers(managed: ManagedFields, changes: Comparison, writer: string): void {
  const taken = union(changes.modified, changes.added);
  for (const [key, entry] of managed) {
    if (key === writer) continue;
    const left = difference(difference(entry.fields, taken), changes.removed);
    if (left !== entry.fields) setFields(managed, key, { ...entry, fields: left });
  }
}
