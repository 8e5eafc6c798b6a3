import type { LabelSelector } from "#api/meta/label-selector.ts";
import { printLabelMap, printLabelSelector } from "#api/meta/label-selector.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType, ScalePaths } from "#api/meta/resource-type.ts";
import { isJsonObject, type JsonObject, member, setMember } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";

const text: SchemaNode = { type: "string" };
const count: SchemaNode = { type: "integer", format: "int32" };

/** A Scale as a type of its own, with the place and the metadata of what it scales. */
export function scaleTypeOf(type: ResourceType): ResourceType {
  const metadata = type.schema.properties?.["metadata"] ?? {};
  const schema: SchemaNode = {
    type: "object",
    title: "v1.Scale",
    properties: {
      kind: text,
      apiVersion: text,
      metadata,
      spec: { type: "object", title: "v1.ScaleSpec", properties: { replicas: count } },
      status: { type: "object", title: "v1.ScaleStatus", properties: { replicas: count, selector: text } },
    },
  };
  const { canonicalize: _, ...rest } = type;
  const zero = { kind: "Scale", apiVersion: "autoscaling/v1", metadata: {}, spec: {}, status: { replicas: 0 } };
  return { ...rest, group: "autoscaling", version: "v1", kind: "Scale", custom: false, subresources: {}, schema, zero };
}

/** The Scale of an object; as in Go, no replicas are left out where they are wished and told where they are. */
export function scaleOf(paths: ScalePaths, object: ApiObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorOf(paths, object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: scaleSpec(numberAt(object, paths.specReplicasPath)),
    status: { replicas: numberAt(object, paths.statusReplicasPath), ...(selector === "" ? {} : { selector }) },
  };
}

/** The spec of a Scale. */
export function scaleSpec(replicas: number): JsonObject {
  return replicas === 0 ? {} : { replicas };
}

function selectorOf({ labelSelectorPath }: ScalePaths, object: ApiObject): string {
  const value = labelSelectorPath === undefined ? undefined : valueAt(object, labelSelectorPath);
  if (typeof value === "string") return value;
  if (!isJsonObject(value)) return "";
  // a LabelSelector, or the plain label map of a replication controller
  const structured = "matchLabels" in value || "matchExpressions" in value;
  return structured ? printLabelSelector(value as LabelSelector) : printLabelMap(value as Record<string, string>);
}

function numberAt(object: ApiObject, path: string): number {
  const value = valueAt(object, path);
  return typeof value === "number" ? value : 0;
}

/** What stands at a path of a definition, such as `.spec.replicas`. */
export function valueAt(object: object, path: string): unknown {
  let value: unknown = object;
  for (const segment of segmentsOf(path)) value = isJsonObject(value) ? member(value, segment) : undefined;
  return value;
}

/** Puts a number there; objects on the way are made. */
export function setAt(draft: Draft, path: string, value: number): void {
  const parts = segmentsOf(path);
  let parent: object = draft;
  for (const segment of parts.slice(0, -1)) {
    const found = member(parent, segment);
    const next = isJsonObject(found) ? found : {};
    if (next !== found) setMember(parent, segment, next);
    parent = next;
  }
  setMember(parent, parts.at(-1)!, value);
}

/** The names on a path. */
export function segmentsOf(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}
