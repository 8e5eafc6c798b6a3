import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type ApplyResult, applyPatch } from "#apiserver/apply/apply-patch.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import { applyStrategicMerge } from "#apiserver/patch/strategic-merge.ts";
import { apiVersionOf, storageKey } from "#apiserver/registry.ts";
import { formatTime } from "#base/clock.ts";
import { isJsonObject } from "#base/json.ts";
import { applyJsonPatch } from "#base/patch/json-patch.ts";
import { applyMergePatch } from "#base/patch/merge-patch.ts";
import type { PatchedObject, PatchResult } from "#base/patch/patch-result.ts";
import { createDraft } from "./create.ts";
import { canonical, conformToSchema, decodePart } from "./decode-object.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { patchedPart } from "./status-alone.ts";
import { type Change, changeObject } from "./update.ts";
import { managerOf, type WriteRequest, type Written } from "./write-request.ts";

/** PATCH of any type; server-side apply creates what is missing. */
export async function patchObject(core: Core, request: WriteRequest): Promise<Written> {
  const { type, call } = request;
  if (call.patchType === "apply") return serverSideApply(core, request);
  if (call.patchType === "strategic" && type.custom) throw unsupportedPatchType();
  return changeObject(core, request, (current) => patched(request, current));
}

/** 415 as Kubernetes words it for a patch that the resource does not take. */
export function unsupportedPatchType(): StatusError {
  return new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}

function patched(request: WriteRequest, current: ApiObject): Change {
  const { type, call } = request;
  const draft = expectPatched(applyAnyPatch(request, patchedPart(request.call, current))) as unknown as Draft; // shaped by the checks below
  if (!isJsonObject(draft.metadata)) throw StatusError.badRequest("the patch removes the object's metadata");
  if (draft.kind !== type.kind || draft.apiVersion !== apiVersionOf(type)) {
    throw StatusError.badRequest(`the patch changes apiVersion or kind: expected ${apiVersionOf(type)}, ${type.kind}`);
  }
  if (draft.metadata.name !== current.metadata.name) {
    throw StatusError.badRequest(
      `the name of the object (${draft.metadata.name ?? ""}) does not match the name on the URL (${current.metadata.name})`,
    );
  }
  const decoded = conformToSchema(type, draft, { ...call, body: draft });
  request.warnings.splice(0, request.warnings.length, ...decoded.warnings);
  return { draft: decoded.draft, conditional: expectPatchedRevision(type, decoded.draft, current) };
}

/** A patch that carries a resourceVersion is bound to it. */
function expectPatchedRevision(type: ResourceType, draft: Draft, current: ApiObject): boolean {
  const { resourceVersion } = draft.metadata;
  if (resourceVersion === current.metadata.resourceVersion || !resourceVersion) return false;
  throw StatusError.conflict(
    namedResource(type, current.metadata.name),
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

function applyAnyPatch({ type, call }: WriteRequest, current: ApiObject): PatchResult {
  switch (call.patchType) {
    case "json":
      return applyJsonPatch(current, call.body);
    case "merge":
      return applyMergePatch(current, call.body);
    default:
      return applyStrategicMerge(current, call.body, type.schema);
  }
}

/** The patched document, or the Status that says why there is none. */
export function expectPatched(result: PatchResult): PatchedObject {
  if (result.ok) return result.value;
  switch (result.why) {
    case "badRequest":
      throw StatusError.badRequest(result.message);
    case "unprocessable":
      throw new StatusError(
        422,
        "Invalid",
        `the server rejected our request due to an error in our request: ${result.message}`,
        {},
      );
    case "tooLarge":
      throw StatusError.tooLarge(result.message);
    case "internal":
      throw new StatusError(500, "", result.message);
  }
}

async function serverSideApply(core: Core, request: WriteRequest): Promise<Written> {
  const { type, call, namespace } = request;
  const { draft: applied, warnings } = decodePart(type, call);
  request.warnings.push(...warnings);
  expectAppliable(request, applied);
  if (core.store.get(storageKey(type, namespace, call.path.name!)) === undefined) {
    if (call.path.subresource !== undefined) throw StatusError.notFound(namedResource(type, call.path.name));
    const draft = canonical(type, merged(core, request, { applied, live: undefined }));
    return createDraft(core, request, { draft, applied: true });
  }
  return changeObject(core, request, (live) => ({
    draft: canonical(type, merged(core, request, { applied, live })),
    conditional: Boolean(applied.metadata.resourceVersion),
    applied: true,
  }));
}

function expectAppliable({ type, namespace, call }: WriteRequest, { metadata }: Draft): void {
  const { name } = call.path;
  if (!metadata.name) {
    throw StatusError.badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name !== name) {
    throw StatusError.badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  if (type.namespaced && metadata.namespace && metadata.namespace !== namespace) {
    throw StatusError.badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}

interface Merge {
  readonly applied: Draft;
  readonly live: ApiObject | undefined;
}

/** The live object with the applied configuration merged in. */
function merged(core: Core, { type, call }: WriteRequest, { applied, live }: Merge): Draft {
  const { resourceVersion } = applied.metadata;
  if (live !== undefined && resourceVersion && resourceVersion !== live.metadata.resourceVersion) {
    throw StatusError.conflict(
      namedResource(type, live.metadata.name),
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  }
  const result = applyPatch({
    schema: type.schema,
    live,
    applied,
    manager: managerOf(call),
    force: call.options.force === true,
    ...(call.path.subresource === undefined ? {} : { subresource: call.path.subresource }),
    ignored: ignoredFields(type, call.path.subresource),
    time: formatTime(core.clock.nowMs()),
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    ...(type.zero === undefined ? {} : { zero: type.zero }),
  });
  if (result.ok) return result.object;
  throw applyRefusal(result);
}

function applyRefusal(result: Exclude<ApplyResult, { readonly ok: true }>): StatusError {
  switch (result.why) {
    case "badRequest":
      return StatusError.badRequest(result.message);
    case "invalid":
      return new StatusError(500, "", result.message);
    case "conflict":
      return new StatusError(409, "Conflict", result.message, {
        causes: result.conflicts.map(({ message, field }) => ({ reason: "FieldManagerConflict", message, field })),
      });
  }
}
