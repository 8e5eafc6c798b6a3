import type { ApiCall } from "#api/meta/api-call.ts";
import type { Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Core } from "#apiserver/core.ts";
import { namespaceMismatch } from "#apiserver/write/create.ts";
import { decodeObject } from "#apiserver/write/decode-object.ts";

/** The body of a subresource as an object of its own kind, in the namespace of what it is a part of. */
export function partBody(core: Core, kind: ResourceType, call: ApiCall): Draft {
  const { draft, warnings } = decodeObject(kind, call, core);
  call.remarks?.push(...warnings);
  const { namespace } = draft.metadata;
  if (namespace && namespace !== call.path.namespace) throw namespaceMismatch();
  return draft;
}
