import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { applyDefaults, dropUnwantedNulls } from "#schema/default-fields.ts";

interface Filling {
  /** Nulls that were applied to a custom resource stay where no default takes their place: they are for its schema to judge. */
  readonly applied: boolean;
}

/** Null means absent; then defaults from the schema, then those that Kubernetes has as code. */
export function fillDefaults(type: ResourceType, draft: Draft, { applied }: Filling): void {
  if (!applied || !type.custom) dropUnwantedNulls(draft, type.schema);
  applyDefaults(draft, type.schema);
  type.strategy.applyDefaults?.(draft);
}

/** The same for a write of the status alone: all else was filled when it was stored. */
export function fillStatusDefaults(
  type: ResourceType,
  draft: Draft,
  { old, applied }: Filling & { readonly old: ApiObject },
): void {
  const { status } = draft;
  if (status === null) delete draft["status"];
  else if (status !== undefined) {
    const part = { status };
    if (!applied || !type.custom) dropUnwantedNulls(part, type.schema);
    applyDefaults(part, type.schema);
    draft["status"] = part.status;
  }
  type.strategy.prepareStatus?.(draft, old);
}
