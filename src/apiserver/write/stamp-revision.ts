import type { ApiObject, Draft, DraftMeta } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Core } from "#apiserver/core.ts";
import { reshape, storedShape } from "#apiserver/stored-shape.ts";
import { setMember } from "#base/json.ts";
import { countKeys, roomFor } from "#base/roomy-object.ts";
import type { Build } from "#storage/store.ts";

/** A draft in its served shape as the stored object, once its revision is known. The draft is given up to the store. */
export function stampRevision(
  core: Pick<Core, "fieldSets" | "registry" | "shapes" | "settled">,
  type: ResourceType,
  draft: Draft,
): Build<ApiObject> {
  const { managedFields } = draft.metadata;
  if (managedFields !== undefined) draft.metadata.managedFields = [...core.fieldSets.shared(managedFields)];
  core.settled.share(type, draft);
  const build = stampStored(storedShape(type, draft));
  return (revision) => {
    const object = build(revision);
    const present = type.custom ? core.registry.get(type.group, type.version, type.plural) : type;
    // its definition changed while the request was under way
    if (present !== undefined && present.schema !== type.schema) return reshape(present, object);
    core.shapes.written(type, object);
    core.settled.stored(type, object);
    return object;
  };
}

/** The same for a draft that is in its stored shape already. */
export function stampStored(draft: Draft): Build<ApiObject> {
  return (revision) => {
    const object = roomFor(countKeys(draft));
    object["kind"] = draft.kind;
    object["apiVersion"] = draft.apiVersion;
    object["metadata"] = stamped(draft.metadata, String(revision));
    for (const key in draft) if (!envelope.has(key)) setMember(object, key, draft[key]);
    return object as unknown as ApiObject; // complete now: every step before has seen to the rest
  };
}

const envelope: ReadonlySet<string> = new Set(["kind", "apiVersion", "metadata"]);

/** As Kubernetes prints it. */
const metadataOrder = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
] as const;

function stamped(metadata: DraftMeta, resourceVersion: string): DraftMeta {
  const ordered = roomFor(countKeys(metadata) + (metadata.resourceVersion === undefined ? 1 : 0));
  for (const key of metadataOrder) {
    const value = key === "resourceVersion" ? resourceVersion : metadata[key];
    if (value !== undefined) ordered[key] = value;
  }
  return ordered;
}
