import type { ResourceType } from "#api/meta/resource-type.ts";
import type { FieldSet } from "#apiserver/apply/field-set.ts";

const status: FieldSet = { "f:status": {} };

/** What an endpoint does not write and so nobody comes to own through it: the status of a whole object, all but the status of its status. */
export function ignoredFields(type: ResourceType, subresource: string | undefined): FieldSet {
  if (!type.subresources.status) return {};
  if (subresource !== "status") return status;
  const others = Object.keys(type.schema.properties ?? {}).filter((name) => name !== "status");
  return Object.fromEntries(others.map((name) => [`f:${name}` as const, {}]));
}
