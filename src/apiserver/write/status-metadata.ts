import type { ApiObject, Draft, DraftMeta } from "#api/meta/object-meta.ts";
import type { KeptMetadata, ResourceType } from "#api/meta/resource-type.ts";
import { cloneJson, jsonEquals, membersBut, setMember } from "#base/json.ts";

/** Parts of metadata that a write of the status may bring, where its kind lets it. */
const parts: readonly KeptMetadata[] = ["labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp"];

/**
 * What a write of the status makes of an object: all but the status and what its kind lets it write of metadata is shared with what is
 * stored.
 */
export function withStatusOf(type: ResourceType, draft: Draft, current: ApiObject): Draft {
  const metadata = type.custom ? customMetadata(draft, current) : builtinMetadata(type, draft, current);
  const next: Draft = { ...current, metadata };
  if (draft["status"] === undefined) delete next["status"];
  else next["status"] = draft["status"];
  return next;
}

const ofEachWrite: ReadonlySet<string> = new Set(["managedFields", "resourceVersion"]);
/** What the store gives anew to whatever is written. */
export const revisionAlone: ReadonlySet<string> = new Set(["resourceVersion"]);

/** As it was; managed fields travel with the write. */
function customMetadata({ metadata: { managedFields } }: Draft, current: ApiObject): DraftMeta {
  const kept = membersBut(current.metadata, ofEachWrite) as DraftMeta; // what is shared is not touched
  if (managedFields !== undefined) kept.managedFields = managedFields;
  return kept;
}

function builtinMetadata(type: ResourceType, draft: Draft, current: ApiObject): DraftMeta {
  const stored = current.metadata as DraftMeta; // likewise
  const sent = jsonEquals(draft.metadata.labels, stored.labels) ? draft : defaulted(type, draft, current);
  const next = membersBut(sent.metadata, revisionAlone);
  for (const part of parts) {
    // what says the same is the same, so that nobody has to compare it again
    if (!type.strategy.statusKeeps?.includes(part) && !jsonEquals(next[part], stored[part])) continue;
    if (stored[part] === undefined) {
      if (part in next) delete next[part];
    } else setMember(next, part, stored[part]);
  }
  return next;
}

/** With the labels that are made of other parts where there are none: of those that were sent, or else of those that are stored. */
function defaulted({ strategy }: ResourceType, draft: Draft, current: ApiObject): Draft {
  const sent = cloneJson({ ...current, ...draft }) as unknown as Draft; // what it does not say is as it was
  strategy.applyDefaults?.(sent);
  const stored: Draft = { ...(cloneJson(current) as unknown as Draft), metadata: sent.metadata }; // likewise
  strategy.applyDefaults?.(stored);
  return stored;
}
