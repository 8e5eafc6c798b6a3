import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { applyDefaults, dropUnwantedNulls, hasAllDefaults } from "#schema/default-fields.ts";
import type { SettledParts } from "./settled-parts.ts";

interface Filling {
  /** Nulls that were applied to a custom resource stay where no default takes their place: they are for its schema to judge. */
  readonly applied: boolean;
  /** Specs and statuses that need nothing. */
  readonly settled?: SettledParts;
}

/** Null means absent; then defaults from the schema, then those that Kubernetes has as code. */
export function fillDefaults(type: ResourceType, draft: Draft, { applied, settled }: Filling): void {
  if (settled?.settles(type, draft) && hasAllDefaults(settled.openPart(type, draft), type.schema)) return;
  fillPart(type, draft, { applied });
  type.strategy.applyDefaults?.(draft);
}

/** The same for a write of the status alone: all else was filled when it was stored. */
export function fillStatusDefaults(
  type: ResourceType,
  draft: Draft,
  { old, applied, settled }: Filling & { readonly old: ApiObject },
): void {
  const { status } = draft;
  if (status === null) delete draft["status"];
  else if (status !== undefined && settled?.isKept(type, status) !== true) {
    const part = { status };
    fillPart(type, part, { applied });
    draft["status"] = part.status;
  }
  type.strategy.prepareStatus?.(draft, old);
}

/** Nearly always there is nothing to do, and to see that is quicker than to do it. */
function fillPart({ schema, custom }: ResourceType, part: object, { applied }: Filling): void {
  if (hasAllDefaults(part, schema)) return;
  if (!applied || !custom) dropUnwantedNulls(part, schema);
  applyDefaults(part, schema);
}
