import type { ApiObject, Draft, Fields } from "#api/meta/object-meta.ts";
import type { ShapeConversion } from "#api/meta/resource-type.ts";

/** Members that only have other names: served by events.k8s.io/v1, stored as core/v1. */
const renamed: readonly (readonly [served: string, stored: string])[] = [
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["reportingController", "reportingComponent"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
];
const toStored: ReadonlyMap<string, string> = new Map(renamed);
const toServed: ReadonlyMap<string, string> = new Map(renamed.map(([served, stored]) => [stored, served]));

/** Events of events.k8s.io/v1 are kept as those of core/v1: one storage, two doors. */
export const eventConversion: ShapeConversion = {
  fromStorage: (object) =>
    // every member the served kind has is there, under its served name
    ({ ...rename(object, toServed), apiVersion: "events.k8s.io/v1" }) as ApiObject,
  toStorage: (draft) => ({ ...rename(draft, toStored), apiVersion: "v1" }) as Draft,
};

function rename(object: Fields, names: ReadonlyMap<string, string>): Fields {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]));
}
