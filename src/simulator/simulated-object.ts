import type { ApiObject, Fields, OwnerReference } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { compareBytes } from "#base/byte-order.ts";
import { apiVersionOf } from "./member-resources.ts";

/** An object of a member, as its API server hands it out: defaults filled in, shared, never changed. */
export interface SimulatedObject extends ApiObject {
  readonly spec: Fields;
  readonly status?: Fields;
}

/** The one owner that decides about an object. */
export function controllerOf({ metadata }: Pick<ApiObject, "metadata">): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** How an object names the controller it belongs to. */
export function controlledBy(resource: ResourceId, { metadata }: Pick<ApiObject, "metadata">): OwnerReference {
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

export function isBeingDeleted({ metadata }: Pick<ApiObject, "metadata">): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Oldest first, then by name: an order that does not depend on how objects were found. */
export function oldestFirst(a: ApiObject, b: ApiObject): number {
  return (
    compareBytes(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
    compareBytes(a.metadata.name, b.metadata.name)
  );
}
