import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { apiVersionOf } from "./registry.ts";

/**
 * A stored object as the resource serves it. Several versions of one definition differ in their apiVersion alone (conversion
 * strategy None); events are kept in one shape and served in two.
 */
export function servedShape(type: ResourceType, object: ApiObject): ApiObject {
  if (type.convert !== undefined) return type.convert.fromStorage(object);
  if (!type.custom) return object;
  const apiVersion = apiVersionOf(type);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** A draft in the shape in which it is stored. */
export function storedShape(type: ResourceType, draft: Draft): Draft {
  return type.convert === undefined ? draft : type.convert.toStorage(draft);
}
