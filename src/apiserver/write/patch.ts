import type { ApiCall } from "#api/meta/api-call.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type ApplyResult, applyPatch } from "#apiserver/apply/apply-patch.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import { applyStrategicMerge } from "#apiserver/patch/strategic-merge.ts";
import { apiVersionOf, storageKey } from "#apiserver/registry.ts";
import { formatTime } from "#base/clock.ts";
import { invalid } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { cloneJson, isJsonObject, stringifyJson } from "#base/json.ts";
import { goPrint, goTypeOf } from "#base/patch/go-print.ts";
import { applyJsonPatch } from "#base/patch/json-patch.ts";
import { applyMergePatch } from "#base/patch/merge-patch.ts";
import type { PatchedObject, PatchResult } from "#base/patch/patch-result.ts";
import { findConversionError } from "#schema/convert-types.ts";
import { findTypeError } from "#schema/decode-types.ts";
import { createDraft, namespaceMismatch } from "./create.ts";
import { canonical, conformToSchema, decodedSchema } from "./decode-object.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { patchedPart } from "./status-alone.ts";
import { type Change, changeObject, expectNameOfPath } from "./update.ts";
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
  draft.kind ||= type.kind;
  draft.apiVersion ||= apiVersionOf(type);
  const problem = findPatchedError(request, draft);
  if (problem !== undefined) throw unfitPatch(call, draft, problem);
  draft.metadata ??= {};
  const decoded = conformToSchema(type, draft, {
    call: { ...call, body: draft },
    refuse: (detail) => unfitPatch(call, draft, detail),
  });
  const { metadata } = decoded.draft;
  if (!type.namespaced) delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== current.metadata.namespace) throw namespaceMismatch();
  expectNameOfPath(metadata.name, current.metadata.name);
  request.warnings.splice(0, request.warnings.length, ...decoded.warnings);
  return { draft: decoded.draft, conditional: expectPatchedRevision(type, decoded.draft, current) };
}

/** Why the patched document is no object of its kind. */
function findPatchedError({ type, call }: WriteRequest, draft: Draft): string | undefined {
  if (draft.kind !== type.kind || draft.apiVersion !== apiVersionOf(type)) {
    return `no kind ${goQuote(String(draft.kind))} is registered for version ${goQuote(String(draft.apiVersion))} in scheme "pkg/runtime/scheme.go:111"`;
  }
  return call.patchType === "strategic"
    ? findConversionError(draft, type.schema)
    : findTypeError(draft, decodedSchema(type), type.kind);
}

/** 422 as Kubernetes words it: a strategic patch is shown itself, of others what they would have made of the object. */
function unfitPatch({ patchType, body }: ApiCall, draft: Draft, detail: string): StatusError {
  const shown = patchType === "strategic" ? goPrint(body) : stringifyJson(draft);
  return StatusError.invalid({ group: "", resource: "" }, [invalid("patch", shown, detail)]);
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
      throw new StatusError(422, "Invalid", "the server rejected our request due to an error in our request", {});
    case "tooLarge":
      throw StatusError.tooLarge(result.message);
    case "internal":
      throw new StatusError(500, "", result.message);
  }
}

async function serverSideApply(core: Core, request: WriteRequest): Promise<Written> {
  const { type, call, namespace } = request;
  const applied = readApplied(type, call);
  if (core.store.get(storageKey(type, namespace, call.path.name!)) === undefined) {
    if (call.path.subresource !== undefined) throw StatusError.notFound(namedResource(type, call.path.name));
    const draft = canonical(type, appliable(request, merged(core, request, { applied, live: undefined })));
    return createDraft(core, request, { draft, applied: true });
  }
  return changeObject(core, request, (live) => ({
    draft: canonical(type, appliable(request, merged(core, request, { applied, live }))),
    conditional: Boolean(applied.metadata.resourceVersion),
    applied: true,
  }));
}

/** A configuration as it came; what does not fit its kind is told when it is merged. */
function readApplied(type: ResourceType, { body, duplicateFields = [], options }: ApiCall): Draft {
  if (!isJsonObject(body)) {
    const detail = `json: cannot unmarshal ${goTypeOf(body)} into Go value of type map[string]interface {}`;
    throw StatusError.badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${detail}`);
  }
  const { apiVersion = "", kind = "" } = body;
  if (kind === "" || apiVersion === "")
    throw StatusError.badRequest(`invalid object type: ${goKind(apiVersion, kind)}`);
  const served = apiVersionOf(type);
  if (apiVersion !== served || kind !== type.kind) {
    throw StatusError.badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${String(apiVersion)}, expected: ${served}`,
    );
  }
  if (duplicateFields.length > 0 && options.fieldValidation === "Strict") {
    const keys = duplicateFields.map((path) => `key ${goQuote(path)} already set in map`).join("; ");
    throw StatusError.badRequest(`error strict decoding YAML: ${keys}`);
  }
  const applied = cloneJson(body) as unknown as Draft; // judged when it is merged
  if (applied.metadata === undefined || applied.metadata === null) applied.metadata = {};
  return applied;
}

/** What came of a merge, once it is an object of its kind, in its place and under its name. */
function appliable({ type, namespace, call }: WriteRequest, draft: Draft): Draft {
  const { metadata } = draft;
  const sent = isJsonObject(call.body) && isJsonObject(call.body["metadata"]) ? call.body["metadata"] : {};
  const problem = type.custom
    ? findTypeError(draft, decodedSchema(type), type.kind)
    : findConversionError(draft, type.schema);
  if (problem !== undefined) {
    const object = `${String(sent["namespace"] ?? "")}/${String(sent["name"] ?? "")}; ${goKind(apiVersionOf(type), type.kind)}`;
    const what = `unable to convert unstructured object to ${goKind(apiVersionOf(type), type.kind)}: ${problem}`;
    throw new StatusError(500, "", `failed to convert new object (${object}) to proper version: ${what}`);
  }
  if (!type.namespaced) delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== namespace) throw namespaceMismatch();
  expectNameOfPath(metadata.name, call.path.name!);
  return draft;
}

/** As Go prints a kind: `/v1, Kind=Pod`. */
function goKind(apiVersion: unknown, kind: unknown): string {
  const version = String(apiVersion);
  return `${version.includes("/") ? "" : "/"}${version}, Kind=${String(kind)}`;
}

interface Merge {
  readonly applied: Draft;
  readonly live: ApiObject | undefined;
}

/** The live object with the applied configuration merged in. */
function merged(core: Core, { type, call }: WriteRequest, { applied, live }: Merge): Draft {
  const { resourceVersion } = applied.metadata;
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
  if (!result.ok) throw applyRefusal(result);
  if (live !== undefined && resourceVersion && resourceVersion !== live.metadata.resourceVersion) {
    throw StatusError.conflict(
      namedResource(type, live.metadata.name),
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  }
  return result.object;
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
