import type { ApiCall } from "#api/meta/api-call.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type ApplyResult, applyPatch } from "#apiserver/apply/apply-patch.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import { apiVersionOf, storageKey } from "#apiserver/registry.ts";
import { goQuote } from "#base/go-text.ts";
import { cloneJson, isJsonObject, type JsonObject } from "#base/json.ts";
import { goTypeOf } from "#base/patch/go-print.ts";
import { findValueError } from "#schema/decode-types.ts";
import { convertValues, findUnfit } from "./convert-object.ts";
import { createDraft, namespaceMismatch } from "./create.ts";
import { canonical } from "./decode-object.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { changeObject, expectNameOfPath, expectRevision } from "./update.ts";
import { managerOf, type WriteRequest, type Written } from "./write-request.ts";

/** PATCH of an applied configuration; creates what is missing. */
export async function serverSideApply(core: Core, request: WriteRequest): Promise<Written> {
  const { type, call, namespace } = request;
  const applied = readApplied(type, call);
  if (core.store.get(storageKey(type, namespace, call.path.name!)) === undefined) {
    if (call.path.subresource !== undefined) throw StatusError.notFound(namedResource(type, call.path.name));
    const draft = mergedDraft(core, request, { applied, live: undefined });
    return createDraft(core, request, { draft, applied: true });
  }
  return changeObject(core, request, (live) => {
    const draft = mergedDraft(core, request, { applied, live });
    expectRevision(type, draft.metadata.resourceVersion, live);
    return { draft, conditional: Boolean(applied.metadata.resourceVersion), applied: true };
  });
}

/** What an applied configuration makes of an object that is there. */
export function appliedObject(core: Core, request: WriteRequest, live: ApiObject): Draft {
  return mergedDraft(core, request, { applied: readApplied(request.type, request.call), live });
}

function mergedDraft(core: Core, request: WriteRequest, merge: Merge): Draft {
  return canonical(request.type, appliable(request, merged(core, request, merge)));
}

/** A configuration as it came; what does not fit its kind is told when it is merged. */
function readApplied(type: ResourceType, { body, duplicateFields = [], options }: ApiCall): Draft {
  if (!isJsonObject(body)) {
    const detail = `json: cannot unmarshal ${goTypeOf(body)} into Go value of type map[string]interface {}`;
    throw StatusError.badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${detail}`);
  }
  const { apiVersion = "", kind = "" } = body;
  if (apiVersion !== apiVersionOf(type) || kind !== type.kind)
    throw StatusError.badRequest(`invalid object type: ${goKind(apiVersion, kind)}`);
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
  const problem = type.custom ? undefined : findUnfit(withSentManagers(draft, sent), type);
  if (type.custom) dropUnreadable(draft, type);
  if (problem !== undefined) {
    const object = `${String(sent["namespace"] ?? "")}/${String(sent["name"] ?? "")}; ${goKind(apiVersionOf(type), type.kind)}`;
    const what = `unable to convert unstructured object to ${goKind(apiVersionOf(type), type.kind)}: ${problem}`;
    throw new StatusError(500, "", `failed to convert new object (${object}) to proper version: ${what}`);
  }
  convertValues(draft, type);
  if (!type.namespaced) delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== namespace) throw namespaceMismatch();
  expectNameOfPath(metadata.name, call.path.name!);
  return draft;
}

/** Of a custom resource what the server sets itself counts as not there where it cannot be read. */
function dropUnreadable({ metadata }: Draft, { schema }: ResourceType): void {
  const fields = schema.properties?.["metadata"]?.properties ?? {};
  for (const field of ["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"] as const) {
    const node = fields[field];
    if (node !== undefined && findValueError(metadata[field], node) !== undefined) delete metadata[field];
  }
}

/** The managed fields that were sent are thrown away, but not before they were read. */
function withSentManagers(draft: Draft, { managedFields }: JsonObject): Draft {
  if (managedFields === undefined || managedFields === null) return draft;
  return { ...draft, metadata: { ...draft.metadata, managedFields } } as unknown as Draft; // to be judged
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
  const result = applyPatch({
    schema: type.schema,
    live,
    applied,
    manager: managerOf(call),
    force: call.options.force === true,
    ...(call.path.subresource === undefined ? {} : { subresource: call.path.subresource }),
    ignored: ignoredFields(type, call.path.subresource),
    time: core.times.now(),
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    ...(type.zero === undefined ? {} : { zero: type.zero }),
  });
  if (!result.ok) throw applyRefusal(result);
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
