import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { Build } from "#storage/store.ts";

/** The draft as the stored object, once its revision is known. The draft is given up to the store. */
export function stampRevision(draft: Draft): Build<ApiObject> {
  return (revision) => {
    const { kind, apiVersion, metadata, ...rest } = draft;
    // complete now: every step before has seen to the rest
    return {
      kind,
      apiVersion,
      metadata: { ...metadata, resourceVersion: String(revision) },
      ...rest,
    } as unknown as ApiObject;
  };
}
