import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { applyDefaults, dropUnwantedNulls } from "#schema/default-fields.ts";

/** Null means absent; then defaults from the schema, then those that Kubernetes has as code. */
export function fillDefaults(type: ResourceType, draft: Draft): void {
  dropUnwantedNulls(draft, type.schema);
  applyDefaults(draft, type.schema);
  type.strategy.applyDefaults?.(draft);
}

/** The same for a write of the status alone: all else was filled when it was stored. */
export function fillStatusDefaults(type: ResourceType, draft: Draft, old: ApiObject): void {
  const { status } = draft;
  if (status !== undefined) {
    const part = { status };
    dropUnwantedNulls(part, type.schema);
    applyDefaults(part, type.schema);
    draft["status"] = part.status;
  }
  type.strategy.prepareStatus?.(draft, old);
}
