import type { ResourceType } from "#api/meta/resource-type.ts";
import type { FieldSet } from "#apiserver/apply/field-set.ts";

const status: FieldSet = { "f:status": {} };
const metadata: FieldSet = { "f:metadata": {} };
const spec: FieldSet = { "f:spec": {} };
const specAndMetadata: FieldSet = { ...spec, ...metadata };

/** What an endpoint does not write and so nobody comes to own through it: the status of a whole object; of its status the spec and what its kind keeps of metadata. */
export function ignoredFields(type: ResourceType, subresource: string | undefined): FieldSet {
  if (!type.subresources.status) return {};
  return subresource === "status" ? besideStatus(type) : status;
}

function besideStatus({ custom, strategy: { statusKeeps = [] } }: ResourceType): FieldSet {
  if (custom || statusKeeps.includes("annotations")) return specAndMetadata; // of kinds that keep it, all
  if (statusKeeps.length === 0) return spec;
  return { ...spec, "f:metadata": Object.fromEntries(statusKeeps.map((part) => [`f:${part}` as const, {}])) };
}
