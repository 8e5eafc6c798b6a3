import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Core } from "#apiserver/core.ts";
import { listPrefix } from "#apiserver/registry.ts";
import { refuseInvalid } from "./write-request.ts";

/** Gives the object what must be unique among its kind, in the same turn in which the write is handed to the store. */
export function allocate(core: Core, type: ResourceType, draft: Draft): void {
  if (type.strategy.allocate === undefined) return;
  const errors = type.strategy.allocate(draft, {
    others: () => others(core, type, draft.metadata.uid),
    random: () => core.random.fraction(),
  });
  refuseInvalid(type, draft.metadata.name, errors);
}

function* others(core: Core, type: ResourceType, uid: string | undefined): Generator<ApiObject> {
  const result = core.store.list({ prefix: listPrefix(type, undefined) });
  if (!result.ok) return; // the present is always kept
  for (const { value } of result.entries) if (value.metadata.uid !== uid) yield value;
}
