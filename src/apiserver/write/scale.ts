import type { LabelSelector } from "#api/meta/label-selector.ts";
import { printLabelMap, printLabelSelector } from "#api/meta/label-selector.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType, ScalePaths } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import { storageKey } from "#apiserver/registry.ts";
import { cloneJson, isJsonObject, type JsonObject, member } from "#base/json.ts";
import { applyJsonPatch } from "#base/patch/json-patch.ts";
import { applyMergePatch } from "#base/patch/merge-patch.ts";
import { expectPatched, unsupportedPatchType } from "./patch.ts";
import { changeObject } from "./update.ts";
import type { WriteRequest } from "./write-request.ts";

/** GET …/scale: the replicas of any scalable object in one form. */
export function readScale(core: Core, { type, namespace, call }: WriteRequest): JsonObject {
  const entry = core.store.get(storageKey(type, namespace, call.path.name!));
  if (entry === undefined) throw StatusError.notFound(namedResource(type, call.path.name));
  return scaleOf(scalePaths(type), core.shapes.served(type, entry.value));
}

/** PUT or PATCH …/scale: only the replicas change. */
export async function writeScale(core: Core, request: WriteRequest): Promise<JsonObject> {
  const paths = scalePaths(request.type);
  const main: WriteRequest = { ...request, call: { ...request.call, path: withoutSubresource(request) } };
  const { object } = await changeObject(core, main, (current) => {
    const before = scaleOf(paths, current);
    const wanted = request.call.verb === "patch" ? patchedScale(request, before) : request.call.body;
    const { replicas, resourceVersion } = readWanted(wanted);
    if (resourceVersion !== undefined && resourceVersion !== current.metadata.resourceVersion) {
      throw StatusError.conflict(
        namedResource(request.type, current.metadata.name),
        "the object has been modified; please apply your changes to the latest version and try again",
      );
    }
    const draft = cloneJson(current) as unknown as Draft; // a private copy
    delete draft.metadata.managedFields;
    setAt(draft, paths.specReplicasPath, replicas);
    return { draft, conditional: resourceVersion !== undefined && request.call.verb === "update" };
  });
  return scaleOf(paths, object);
}

function withoutSubresource({ call }: WriteRequest) {
  const { subresource: _, ...path } = call.path;
  return path;
}

function patchedScale({ call }: WriteRequest, scale: JsonObject): unknown {
  if (call.patchType === "json") return expectPatched(applyJsonPatch(scale, call.body));
  if (call.patchType === "apply") throw unsupportedPatchType();
  return expectPatched(applyMergePatch(scale, call.body)); // Scale has no list: strategic merge is the same
}

function readWanted(scale: unknown): { readonly replicas: number; readonly resourceVersion?: string } {
  const spec = isJsonObject(scale) ? scale["spec"] : undefined;
  const replicas = isJsonObject(spec) ? (spec["replicas"] ?? 0) : 0;
  if (typeof replicas !== "number" || !Number.isInteger(replicas) || replicas < 0) {
    throw StatusError.invalid({ group: "autoscaling", resource: "Scale" }, [
      { path: "spec.replicas", type: "invalid", value: replicas, detail: "must be greater than or equal to 0" },
    ]);
  }
  const metadata = isJsonObject(scale) ? scale["metadata"] : undefined;
  const revision = isJsonObject(metadata) ? metadata["resourceVersion"] : undefined;
  return typeof revision === "string" && revision !== "" ? { replicas, resourceVersion: revision } : { replicas };
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
