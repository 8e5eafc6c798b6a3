import type { ApiObject } from "#api/meta/object-meta.ts";
import type { PlannedEdit } from "#api/plan/plan-report.ts";
import { jsonEquals, jsonEqualsBut, membersBut } from "#base/json.ts";

/** What a server keeps about an object, and what `kubectl apply` notes for itself: no change of these is anybody's wish. */
const kept: ReadonlySet<string> = new Set([
  ...["resourceVersion", "managedFields", "generation", "uid", "creationTimestamp", "annotations"],
]);
const noted: ReadonlySet<string> = new Set(["kubectl.kubernetes.io/last-applied-configuration"]);
const judgedApart: ReadonlySet<string> = new Set(["metadata", "status"]);

/** What an edit does to its own object; undefined where it says nothing new. */
export function editEffect(
  before: ApiObject | undefined,
  after: ApiObject | undefined,
): PlannedEdit["does"] | undefined {
  if (after === undefined) return before === undefined ? undefined : "deleted";
  if (before === undefined) return "created";
  const isSame =
    jsonEqualsBut(before, after, judgedApart) &&
    jsonEqualsBut(before.metadata, after.metadata, kept) &&
    jsonEquals(annotationsOf(before), annotationsOf(after));
  return isSame ? undefined : "changed";
}

function annotationsOf({ metadata }: ApiObject): object {
  return membersBut(metadata.annotations ?? {}, noted);
}
