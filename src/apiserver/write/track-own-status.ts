import type { ApiObject, Draft, Fields } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { trackUpdate } from "#apiserver/apply/track-update.ts";
import { apiVersionOf } from "#apiserver/registry.ts";
import { ignoredFields } from "./ignored-fields.ts";

export interface OwnStatus {
  readonly type: ResourceType;
  /** Undefined for a new object. */
  readonly old: ApiObject | undefined;
  readonly next: Draft;
  readonly time: string;
}

/** Records the server as the owner of what it has written of the status itself, beside what the client has written. */
export function trackOwnStatus({ type, old, next, time }: OwnStatus): void {
  const own = type.strategy.ownStatus;
  if (own === undefined) return;
  const before: Fields = old?.["status"] ?? type.zero?.["status"] ?? {};
  const parts = Object.fromEntries(own.parts.map((part) => [part, before[part]]));
  trackUpdate({
    schema: type.schema,
    old: { ...next, status: { ...next["status"], ...parts } },
    next,
    manager: own.manager,
    subresource: "status",
    ignored: ignoredFields(type, "status"),
    time,
    apiVersion: apiVersionOf(type),
  });
}
