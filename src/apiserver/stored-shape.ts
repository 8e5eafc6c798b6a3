import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { cloneJson } from "#base/json.ts";
import { applyDefaults, dropUnwantedNulls, hasAllDefaults } from "#schema/default-fields.ts";
import { pruneUnknown } from "#schema/prune-fields.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { apiVersionOf } from "./registry.ts";

/**
 * Stored objects as their resources serve them. Several versions of one definition differ in their apiVersion and schema alone
 * (conversion strategy None); events are kept in one shape and served in two. A custom resource that was written under an earlier
 * schema is served pruned and completed by the present one.
 *
 * What was written long enough after the definition is known to fit. Of the rest, stored objects never change and neither does a schema:
 * an object is looked through once for each schema it is served under, and one that fits is handed out as it is.
 */
export class ServedShapes {
  /** The schema that an object fits as it is. */
  readonly #fits = new WeakMap<ApiObject, SchemaNode>();
  /** What became of the others. */
  readonly #reshaped = new WeakMap<ApiObject, { readonly schema: SchemaNode; readonly object: ApiObject }>();

  served(type: ResourceType, object: ApiObject): ApiObject {
    if (type.convert !== undefined) return type.convert.fromStorage(object);
    if (!type.custom || isShapedBy(type, object) || this.#fits.get(object) === type.schema) return object;
    const known = this.#reshaped.get(object);
    if (known?.schema === type.schema) return known.object;
    const shaped = reshape(type, object);
    if (shaped === object) this.#fits.set(object, type.schema);
    else this.#reshaped.set(object, { schema: type.schema, object: shaped });
    return shaped;
  }

  /** The object was just made to fit the type's schema: it need not be looked through. */
  written(type: ResourceType, object: ApiObject): void {
    if (type.custom && type.convert === undefined && !isShapedBy(type, object)) this.#fits.set(object, type.schema);
  }

  /** Whether the object is served otherwise than it is stored: writing it again is no idle write. */
  isOutdated(type: ResourceType, object: ApiObject): boolean {
    return type.custom && object.apiVersion === apiVersionOf(type) && this.served(type, object) !== object;
  }
}

/** A draft in the shape in which it is stored. */
export function storedShape(type: ResourceType, draft: Draft): Draft {
  return type.convert === undefined ? draft : type.convert.toStorage(draft);
}

/** Whether the object's revision alone says that it fits. */
function isShapedBy(type: ResourceType, { apiVersion, metadata }: ApiObject): boolean {
  return Number(metadata.resourceVersion) > (type.shapedAfter ?? Infinity) && apiVersion === apiVersionOf(type);
}

/** The object as a custom resource's schema wants it; itself where it fits. */
export function reshape(type: ResourceType, object: ApiObject): ApiObject {
  const apiVersion = apiVersionOf(type);
  const schema = withoutMetadata(type.schema);
  const fits = pruneUnknown(object, schema, { onUnknown: "keep" }).length === 0 && hasAllDefaults(object, schema);
  if (fits) return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
  const draft = cloneJson({ ...object, apiVersion });
  pruneUnknown(draft, schema, { onUnknown: "drop" });
  dropUnwantedNulls(draft, schema);
  applyDefaults(draft, schema);
  return draft;
}

/** Metadata has a schema of our own that no definition changes. */
function withoutMetadata(schema: SchemaNode): SchemaNode {
  const { metadata: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}
