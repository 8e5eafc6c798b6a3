import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Core } from "#apiserver/core.ts";
import { applyStrategicMerge } from "#apiserver/patch/strategic-merge.ts";
import { apiVersionOf } from "#apiserver/registry.ts";
import { typeMetaProblem } from "#apiserver/type-meta.ts";
import { invalid } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { stringifyJson } from "#base/json.ts";
import { goPrint } from "#base/patch/go-print.ts";
import { applyJsonPatch } from "#base/patch/json-patch.ts";
import { applyMergePatch } from "#base/patch/merge-patch.ts";
import type { PatchResult } from "#base/patch/patch-result.ts";
import { convertValues, findUnfit } from "./convert-object.ts";
import { namespaceMismatch } from "./create.ts";
import { conformToSchema, findDecodingError, otherKind } from "./decode-object.ts";
import { inPatchedOrder } from "./patched-order.ts";
import { serverSideApply } from "./server-side-apply.ts";
import type { SettledParts } from "./settled-parts.ts";
import { type Change, changeObject, expectNameOfPath, expectRevision } from "./update.ts";
import type { WriteRequest, Written } from "./write-request.ts";
import { patchedPart } from "./written-part.ts";

/** PATCH of any type; server-side apply creates what is missing. */
export function patchObject(core: Core, request: WriteRequest): Promise<Written> {
  const { type, call } = request;
  if (call.patchType === "apply") return serverSideApply(core, request);
  if (call.patchType === "strategic" && type.custom) throw unsupportedPatchType();
  return changeObject(core, request, (current) => patched(core, request, current));
}

/** 415 as Kubernetes words it for a patch that custom resources do not take. */
export function unsupportedPatchType(): StatusError {
  const taken = "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";
  const message = `the body of the request was in an unknown format - accepted media types include: ${taken}`;
  return new StatusError(415, "UnsupportedMediaType", message);
}

function patched(core: Core, request: WriteRequest, current: ApiObject): Change {
  const draft = patchedObject(core, request, current);
  expectRevision(request.type, draft.metadata.resourceVersion, current);
  return { draft, conditional: false }; // a patch is bound to no revision but the one it was applied to
}

/** What a patch makes of an object, once that is one of its kind, in its place and under its name. */
export function patchedObject({ settled }: Core, request: WriteRequest, current: ApiObject): Draft {
  const { type, call } = request;
  const { draft, refuse } = patchedDraft(request, current, settled);
  if (type.custom && !draft.kind) throw refuse(`Object 'Kind' is missing in '${stringifyJson(draft)}'`);
  draft.kind ||= type.kind;
  draft.apiVersion ||= apiVersionOf(type);
  const problem = findPatchedError(request, draft, settled);
  if (problem !== undefined) throw refuse(problem);
  if (call.patchType === "strategic") {
    convertValues(draft, type);
    Object.assign(draft, { kind: type.kind, apiVersion: apiVersionOf(type) }); // whatever kind it says it is of
  }
  draft.metadata ??= {};
  const decoded = conformToSchema(type, draft, { call: { ...call, body: draft }, settled, refuse });
  request.warnings.splice(0, request.warnings.length, ...decoded.warnings);
  const { metadata } = decoded.draft;
  if (!type.namespaced) delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== current.metadata.namespace) throw namespaceMismatch();
  expectNameOfPath(metadata.name, current.metadata.name);
  if (decoded.draft.kind !== type.kind) throw otherKind(type, decoded.draft);
  return decoded.draft;
}

interface PatchedDraft {
  readonly draft: Draft;
  /** 422 as Kubernetes words it: a strategic patch is shown itself, of others what they would have made of the object. */
  readonly refuse: (detail: string) => StatusError;
}

function patchedDraft({ type, call }: WriteRequest, current: ApiObject, settled: SettledParts): PatchedDraft {
  const refusing = (shown: string) => (detail: string) =>
    StatusError.invalid({ group: "", resource: "" }, [invalid("patch", shown, detail)]);
  if (call.patchType === "strategic") {
    const { document, patch } = expectPatched(applyStrategicMerge(current, call.body, type.schema));
    return { draft: document as unknown as Draft, refuse: refusing(goPrint(patch)) }; // shaped by the checks to come
  }
  const { body, options } = call;
  if (call.patchType === "merge" && options.fieldValidation === "Ignore" && Array.isArray(body))
    throw refusing(stringifyJson(body))(typeMetaProblem(body)!); // a list takes the place of the whole object
  const reading = { validation: options.fieldValidation, copy: (document: object) => settled.copyOf(type, document) };
  const apply = call.patchType === "json" ? applyJsonPatch : applyMergePatch;
  const patched = (object: ApiObject) => expectPatched(apply(object, body, reading));
  const draft = patched(patchedPart(call, current)) as unknown as Draft; // likewise
  const whole = () => Object.assign(patched(current), { kind: draft.kind, apiVersion: draft.apiVersion }); // filled in since
  return { draft, refuse: (detail) => refusing(stringifyJson(whole()))(detail) };
}

/** Why the patched document is no object of its kind. */
function findPatchedError({ type, call }: WriteRequest, draft: Draft, settled: SettledParts): string | undefined {
  if (call.patchType === "strategic") return findUnfit(draft, type);
  const problem = typeMetaProblem(draft);
  if (problem !== undefined) return problem;
  const isOtherKind = draft.kind !== type.kind && !type.custom; // of a custom resource it is told later
  if (isOtherKind || draft.apiVersion !== apiVersionOf(type)) {
    return `no kind ${goQuote(String(draft.kind))} is registered for version ${goQuote(String(draft.apiVersion))} in scheme "pkg/runtime/scheme.go:111"`;
  }
  if (findDecodingError(type, settled.openPart(type, draft)) === undefined) return undefined;
  return findDecodingError(type, inPatchedOrder(draft, call));
}

/** The patched document, or the Status that says why there is none. */
function expectPatched<T>(result: PatchResult<T>): T {
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
