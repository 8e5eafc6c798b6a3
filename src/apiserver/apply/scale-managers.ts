/**
 * Who owns the replicas of an object, told of its Scale and back.
 *
 *   managedFields of the object -> those with its replicas, as owners of `spec.replicas` of a Scale
 *     -> the Scale is written or applied
 *     -> who lost the replicas there loses them here, who won them owns them here as of the subresource
 *
 * Updaters are known by their version, which the Scale has another one of: to the object it is as if another had won them.
 *
 * Upstream: apimachinery util/managedfields/scalehandler.go.
 */
import type { ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import { difference, type FieldSet, intersection, isEmptySet } from "./field-set.ts";
import { type ManagedEntry, type ManagedFields, managerKey, printManagedFields, setFields } from "./managed-fields.ts";
import { readStored } from "./track-update.ts";

/** Where objects of an apiVersion have their replicas; null where they have none, undefined where there are no such objects. */
export type ReplicasOf = (apiVersion: string) => FieldSet | null | undefined;

export const scaleVersion = "autoscaling/v1";
const replicasOfScale: FieldSet = { "f:spec": { "f:replicas": {} } };

/** The entries of a Scale of an object with these entries. */
export function managersOfScale(entries: unknown, replicasOf: ReplicasOf): ManagedFieldsEntry[] | undefined {
  const managed: ManagedFields = new Map();
  for (const entry of readStored(entries).values()) {
    if (!owns(entry, replicasOf(entry.apiVersion))) continue;
    const scaling = { ...entry, apiVersion: scaleVersion, fields: replicasOfScale };
    managed.set(managerKey(scaling), scaling);
  }
  return printManagedFields(managed);
}

export interface ScaledManagers {
  /** Of the object before. */
  readonly entries: unknown;
  /** Of its Scale after. */
  readonly scaleEntries: unknown;
  /** Of the request. */
  readonly apiVersion: string;
  readonly replicasOf: ReplicasOf;
}

/** The entries of an object whose Scale was given these entries. */
export function managersOfScaled(facts: ScaledManagers): ManagedFieldsEntry[] | undefined {
  const before = readStored(facts.entries);
  const scaling = readStored(facts.scaleEntries);
  const managed: ManagedFields = new Map();
  for (const [key, entry] of before) {
    const replicas = facts.replicasOf(entry.apiVersion);
    if (replicas === undefined) continue;
    if (!owns(entry, replicas) || scaling.delete(key)) managed.set(key, entry);
    else setFields(managed, key, { ...entry, fields: difference(entry.fields, replicas ?? {}) });
  }
  const fields = facts.replicasOf(facts.apiVersion) ?? {};
  for (const [key, { time: _, ...entry }] of scaling) {
    if (!owns(entry, replicasOfScale)) continue;
    const time = before.get(key)?.time; // when a Scale was written is not kept
    managed.set(key, { ...entry, apiVersion: facts.apiVersion, fields, ...(time === undefined ? {} : { time }) });
  }
  return printManagedFields(managed);
}

function owns({ fields }: Pick<ManagedEntry, "fields">, replicas: FieldSet | null | undefined): boolean {
  return replicas !== undefined && replicas !== null && !isEmptySet(intersection(fields, replicas));
}
