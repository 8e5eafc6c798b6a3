import type { DeleteOptions } from "#api/meta/api-call.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { admit } from "#apiserver/admission.ts";
import { type Core, namedKind, namedResource } from "#apiserver/core.ts";
import { storageKey } from "#apiserver/registry.ts";
import { formatTime } from "#base/clock.ts";
import { cloneJson, jsonEquals } from "#base/json.ts";
import { stampStored } from "./stamp-revision.ts";
import { refusedByStore, type WriteRequest } from "./write-request.ts";

/** What a DELETE came to: the object is gone, or it stays marked until its finalizers are done. */
export interface Deleted {
  readonly gone: boolean;
  readonly object: ApiObject;
}

const maxAttempts = 100;

/** DELETE: marks or removes one object. */
export async function deleteObject(core: Core, request: WriteRequest, name: string): Promise<Deleted> {
  const { type, namespace, call } = request;
  const options = call.options.deletion ?? {};
  const key = storageKey(type, namespace, name);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const entry = core.store.get(key);
    if (entry === undefined) throw StatusError.notFound(namedResource(type, name));
    expectPreconditions(request, entry.value, options);
    await admitDeletion(core, request, entry.value);
    const { draft, gone } = planDeletion(core, type, entry.value, options);
    if (call.options.dryRun) return { gone, object: entry.value };
    if (!gone && jsonEquals(draft, entry.value)) return { gone, object: entry.value };
    const result = gone
      ? await core.store.delete(key, entry.revision, stampStored(draft))
      : await core.store.update(key, entry.revision, stampStored(draft));
    if (result.ok) return { gone, object: result.entry.value };
    if (result.why === "noSpace" || result.why === "tooLarge") throw refusedByStore(result);
    if (result.why === "missing") throw StatusError.notFound(namedResource(type, name));
  }
  throw StatusError.conflict(namedResource(type, name), "the object has been modified; please try again");
}

async function admitDeletion(
  core: Core,
  { type, namespace, call, warnings }: WriteRequest,
  old: ApiObject,
): Promise<void> {
  const request = {
    operation: "DELETE" as const,
    type,
    namespace,
    name: old.metadata.name,
    subresource: call.path.subresource,
    object: undefined,
    old,
    user: call.user,
    dryRun: call.options.dryRun === true,
    options: { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", ...call.options.deletion },
    warn: (text: string) => warnings.push(text),
  };
  await admit(core.admission, "mutate", request);
  await admit(core.admission, "validate", request);
}

function planDeletion(
  core: Core,
  type: ResourceType,
  current: ApiObject,
  options: DeleteOptions,
): { draft: Draft; gone: boolean } {
  const draft = cloneJson(current) as unknown as Draft; // a private copy
  const graceSeconds = gracePeriod(type, current, options);
  setPropagation(type, draft, options);
  markDeleted(core, draft, graceSeconds);
  type.strategy.prepareForDelete?.(draft);
  const held = (draft.metadata.finalizers ?? []).length > 0 || type.strategy.isDeletable?.(current) === false;
  return { draft, gone: !held && graceSeconds === 0 };
}

/** Pods alone have a grace period; one that never ran has nothing to wind down. */
function gracePeriod({ strategy }: ResourceType, pod: ApiObject, options: DeleteOptions): number {
  if (!strategy.gracefulDeletion) return 0;
  const spec = pod["spec"] as { nodeName?: string; terminationGracePeriodSeconds?: number } | undefined; // pods only
  const status = pod["status"] as { phase?: string } | undefined;
  if (!spec?.nodeName || status?.phase === "Succeeded" || status?.phase === "Failed") return 0;
  const asked = options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30;
  const marked = pod.metadata.deletionTimestamp === undefined ? undefined : pod.metadata.deletionGracePeriodSeconds;
  return marked === undefined ? asked : Math.min(asked, marked);
}

function setPropagation({ strategy }: ResourceType, draft: Draft, { propagationPolicy }: DeleteOptions): void {
  const before = draft.metadata.finalizers ?? [];
  const kept = before.filter((name) => name !== "orphan" && name !== "foregroundDeletion");
  const policy = propagationPolicy ?? (before.length === kept.length ? strategy.defaultPropagation : undefined);
  if (policy === undefined) return;
  const finalizer = { Orphan: ["orphan"], Foreground: ["foregroundDeletion"], Background: [] }[policy];
  draft.metadata.finalizers = [...kept, ...finalizer];
  if (draft.metadata.finalizers.length === 0) delete draft.metadata.finalizers;
}

function markDeleted(core: Core, { metadata }: Draft, graceSeconds: number): void {
  const again = metadata.deletionTimestamp !== undefined;
  if (again && graceSeconds >= (metadata.deletionGracePeriodSeconds ?? 0)) return;
  metadata.deletionTimestamp = formatTime(core.clock.nowMs() + graceSeconds * 1_000);
  metadata.deletionGracePeriodSeconds = graceSeconds;
  if (!again && (metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
}

function expectPreconditions(
  { type, call }: WriteRequest,
  { metadata }: ApiObject,
  { preconditions }: DeleteOptions,
): void {
  const uid = preconditions?.uid ?? undefined; // null is none
  const resourceVersion = preconditions?.resourceVersion ?? undefined;
  const asksItself = type.strategy.isDeletable !== undefined || type.group === "apiextensions.k8s.io";
  if (asksItself && call.verb === "delete") expectHeldPreconditions(type, metadata, { uid, resourceVersion });
  if (uid !== undefined && uid !== metadata.uid) {
    const detail = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw StatusError.conflict(namedKind(type, metadata.name), detail);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const detail = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw StatusError.conflict(namedKind(type, metadata.name), detail);
  }
}

/** Kinds with a say in when they are gone (namespaces, definitions) ask themselves, in words of their own. */
function expectHeldPreconditions(
  type: ResourceType,
  metadata: ApiObject["metadata"],
  wanted: { readonly uid: string | undefined; readonly resourceVersion: string | undefined },
): void {
  const refuse = (what: string, expected: string, found: string | undefined) =>
    StatusError.conflict(
      namedResource(type, metadata.name),
      `Precondition failed: ${what} in precondition: ${expected}, ${what} in object meta: ${found}`,
    );
  const { uid, resourceVersion } = wanted;
  if (uid !== undefined && uid !== metadata.uid) throw refuse("UID", uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
    throw refuse("ResourceVersion", resourceVersion, metadata.resourceVersion);
}
