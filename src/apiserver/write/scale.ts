import type { LabelSelector } from "#api/meta/label-selector.ts";
import { printLabelMap, printLabelSelector } from "#api/meta/label-selector.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType, ScalePaths } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import { storageKey } from "#apiserver/registry.ts";
import { invalid } from "#base/field-error.ts";
import { cloneJson, isJsonObject, type JsonObject, member } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { decodeObject } from "./decode-object.ts";
import { patchedObject, unsupportedPatchType } from "./patch.ts";
import { changeObject, expectName, expectRevision } from "./update.ts";
import type { WriteRequest } from "./write-request.ts";

/** GET …/scale: the replicas of any scalable object in one form. */
export function readScale(core: Core, { type, namespace, call }: WriteRequest): JsonObject {
  const entry = core.store.get(storageKey(type, namespace, call.path.name!));
  if (entry === undefined) throw StatusError.notFound(namedResource(type, call.path.name));
  return scaleOf(scalePaths(type), core.shapes.served(type, entry.value));
}

/** PUT or PATCH …/scale: only the replicas change. */
export async function writeScale(core: Core, request: WriteRequest): Promise<JsonObject> {
  const { type, call } = request;
  const paths = scalePaths(type);
  if (call.patchType === "apply") throw unsupportedPatchType({ custom: false });
  const main: WriteRequest = { ...request, call: { ...call, path: withoutSubresource(request) } };
  const scaling: WriteRequest = { ...main, type: scaleTypeOf(type) };
  const sent = call.verb === "patch" ? undefined : sentScale(core, scaling);
  const { object } = await changeObject(core, main, (current) => {
    const scale = sent ?? patchedObject(scaling, scaleOf(paths, current) as unknown as ApiObject); // it has metadata
    expectSameScale(type, scale, current);
    expectReplicas(scale);
    const { resourceVersion } = scale.metadata;
    if (resourceVersion) expectRevision(type, resourceVersion, current);
    const draft = cloneJson(current) as unknown as Draft; // a private copy
    delete draft.metadata.managedFields;
    setAt(draft, paths.specReplicasPath, replicasOf(scale));
    return { draft, conditional: Boolean(resourceVersion) && sent !== undefined };
  });
  return scaleOf(paths, object);
}

function withoutSubresource({ call }: WriteRequest) {
  const { subresource: _, ...path } = call.path;
  return path;
}

const text: SchemaNode = { type: "string" };
const count: SchemaNode = { type: "integer", format: "int32" };

/** A Scale as a type of its own, with the place and the metadata of what it scales. */
function scaleTypeOf(type: ResourceType): ResourceType {
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
  return { ...rest, group: "autoscaling", version: "v1", kind: "Scale", custom: false, schema };
}

function sentScale(core: Core, scaling: WriteRequest): Draft {
  const { draft, warnings } = decodeObject(scaling.type, scaling.call, core.registry);
  scaling.warnings.push(...warnings);
  expectName(scaling, draft);
  return draft;
}

function expectSameScale(type: ResourceType, { metadata }: Draft, current: ApiObject): void {
  const { uid, name } = current.metadata;
  if (!metadata.uid || metadata.uid === uid) return;
  const what = { group: type.group, resource: `${type.plural}/scale`, name };
  const found = `UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`;
  throw StatusError.conflict(what, `Precondition failed: ${found}`);
}

function replicasOf({ spec }: Draft): number {
  return spec?.replicas ?? 0;
}

function expectReplicas(scale: Draft): void {
  if (replicasOf(scale) >= 0) return;
  const name = scale.metadata.name ?? "";
  const detail = "must be greater than or equal to 0";
  throw StatusError.invalid({ group: "autoscaling", resource: "Scale", name }, [
    invalid("spec.replicas", replicasOf(scale), detail),
  ]);
}

function scaleOf(paths: ScalePaths, object: ApiObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorOf(paths, object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, paths.specReplicasPath) },
    status: { replicas: numberAt(object, paths.statusReplicasPath), ...(selector === "" ? {} : { selector }) },
  };
}

function selectorOf({ labelSelectorPath }: ScalePaths, object: ApiObject): string {
  const value = labelSelectorPath === undefined ? undefined : valueAt(object, labelSelectorPath);
  if (typeof value === "string") return value;
  if (!isJsonObject(value)) return "";
  // a LabelSelector, or the plain label map of a replication controller
  const structured = "matchLabels" in value || "matchExpressions" in value;
  return structured ? printLabelSelector(value as LabelSelector) : printLabelMap(value as Record<string, string>);
}

function scalePaths(type: ResourceType): ScalePaths {
  if (type.subresources.scale === undefined) throw StatusError.unknownResource();
  return type.subresources.scale;
}

function numberAt(object: ApiObject, path: string): number {
  const value = valueAt(object, path);
  return typeof value === "number" ? value : 0;
}

function valueAt(object: ApiObject, path: string): unknown {
  let value: unknown = object;
  for (const segment of segments(path)) value = isJsonObject(value) ? member(value, segment) : undefined;
  return value;
}

function setAt(draft: Draft, path: string, value: number): void {
  const parts = segments(path);
  let parent: Record<string, unknown> = draft;
  for (const segment of parts.slice(0, -1)) {
    if (!isJsonObject(parent[segment])) parent[segment] = {};
    parent = parent[segment] as Record<string, unknown>; // just made sure
  }
  parent[parts.at(-1)!] = value;
}

function segments(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}
