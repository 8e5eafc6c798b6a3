import type { ApiCall } from "#api/meta/api-call.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type AdmissionRequest, admit } from "#apiserver/admission.ts";
import { type Core, namedKind } from "#apiserver/core.ts";
import type { FieldError } from "#base/field-error.ts";
import type { StoreRefusal } from "#storage/store.ts";

/** One create or update under way. */
export interface WriteRequest {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly call: ApiCall;
  /** Remarks for the client, gathered on the way. */
  readonly warnings: string[];
}

/** What a write came to. */
export interface Written {
  readonly object: ApiObject;
  readonly created: boolean;
  /** As it was before an update. */
  readonly old?: ApiObject;
}

/** Who is recorded as the owner of changed fields. */
export function managerOf(call: ApiCall): string {
  return call.options.fieldManager ?? "unknown";
}

/** A promise only when some plug-in needs one. */
export function runAdmission(
  core: Core,
  request: WriteRequest,
  draft: Draft,
  old: ApiObject | undefined,
  check: () => void,
): undefined | Promise<void> {
  const admission = admissionRequest(request, draft, old);
  const judge = () => {
    check();
    return admit(core.admission, "validate", admission);
  };
  const mutating = admit(core.admission, "mutate", admission);
  return mutating === undefined ? judge() : mutating.then(judge);
}

function admissionRequest(request: WriteRequest, draft: Draft, old: ApiObject | undefined): AdmissionRequest {
  const { type, namespace, call, warnings } = request;
  const { fieldManager, fieldValidation } = call.options;
  return {
    operation: old === undefined ? "CREATE" : "UPDATE",
    type,
    namespace,
    name: draft.metadata.name ?? "",
    subresource: call.path.subresource,
    object: draft,
    old,
    user: call.user,
    dryRun: call.options.dryRun === true,
    options: {
      kind: old === undefined ? "CreateOptions" : "UpdateOptions",
      apiVersion: "meta.k8s.io/v1",
      ...(fieldManager === undefined ? {} : { fieldManager }),
      ...(fieldValidation === undefined ? {} : { fieldValidation }),
    },
    warn: (text) => warnings.push(text),
  };
}

/** Throws the 422 that lists everything wrong at once. */
export function refuseInvalid(type: ResourceType, name: string | undefined, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw StatusError.invalid(namedKind(type, name ?? ""), errors);
}

/** The disk is full: 507, and the operator's words; or the object is more than may be kept: 413. */
export function refusedByStore({ why, detail }: StoreRefusal): StatusError {
  if (why === "tooLarge") return StatusError.tooLarge(detail);
  return new StatusError(507, "InsufficientStorage", detail, { retryAfterSeconds: 10 });
}
