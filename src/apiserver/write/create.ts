import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { trackUpdate } from "#apiserver/apply/track-update.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import { apiVersionOf, storageKey } from "#apiserver/registry.ts";
import { cloneJson } from "#base/json.ts";
import { nameSuffix } from "#base/random.ts";
import { allocate } from "./allocate.ts";
import { customErrors, customRemarks } from "./custom-errors.ts";
import { decodeObject } from "./decode-object.ts";
import { fillDefaults } from "./fill-defaults.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { newUid } from "./new-uid.ts";
import { metadataErrors } from "./object-metadata.ts";
import { leaveOutRepeatedOwners } from "./owner-references.ts";
import { stampRevision } from "./stamp-revision.ts";
import { trackOwnStatus } from "./track-own-status.ts";
import {
  managerOf,
  refusedByStore,
  refuseInvalid,
  runAdmission,
  type WriteRequest,
  type Written,
} from "./write-request.ts";

const generatedNamePrefixMax = 58;
const nameAttempts = 8;

/** POST: a new object from the request's body. */
export function createObject(core: Core, request: WriteRequest): Promise<Written> {
  const { draft, warnings } = decodeObject(request.type, request.call, core);
  request.warnings.push(...warnings);
  return createDraft(core, request, { draft });
}

export interface NewObject {
  readonly draft: Draft;
  /** Server-side apply brings the managed fields of its own; any other write is tracked as an update. */
  readonly applied?: boolean;
}

/** Takes a decoded draft through preparation, admission and validation into the store. */
export async function createDraft(
  core: Core,
  request: WriteRequest,
  { draft, applied = false }: NewObject,
): Promise<Written> {
  const { type, call } = request;
  if (!type.verbs.includes("create")) throw StatusError.methodNotAllowed(); // patches and updates may create, too
  leaveOutRepeatedOwners(draft, request.warnings);
  const generated = generatedPrefix(draft);
  placeInNamespace(request, draft);
  const { resourceVersion } = draft.metadata;
  for (let attempt = 1; ; attempt++) {
    if (generated !== undefined) draft.metadata.name = `${generated}${nameSuffix(core.random)}`;
    initialize(core, request, { draft, applied });
    const admission = runAdmission(core, request, draft, undefined, () =>
      refuseInvalid(type, draft.metadata.name, creationErrors(core, request, draft)),
    );
    if (admission !== undefined) await admission;
    request.warnings.push(...customRemarks(type, draft));
    if (resourceVersion && !call.options.dryRun)
      throw new StatusError(500, "", "resourceVersion should not be set on objects to be created");
    if (!applied) trackCreation(core, request, draft);
    trackOwnStatus({ type, old: undefined, next: draft, time: core.times.now() });
    allocate(core, type, draft);
    const result = await store(core, request, draft);
    if (result !== undefined) return result;
    const collided = StatusError.alreadyExists(namedResource(type, draft.metadata.name));
    if (generated === undefined || attempt === nameAttempts || call.options.dryRun) throw collided;
  }
}

function generatedPrefix({ metadata }: Draft): string | undefined {
  const { name, generateName } = metadata;
  if ((name !== undefined && name !== "") || generateName === undefined || generateName === "") return undefined;
  return generateName.slice(0, generatedNamePrefixMax);
}

function placeInNamespace({ type, namespace }: WriteRequest, { metadata }: Draft): void {
  if (!type.namespaced) {
    delete metadata.namespace; // Kubernetes does not mind it either
    return;
  }
  if (metadata.namespace && metadata.namespace !== namespace) throw namespaceMismatch();
  if (namespace !== undefined) metadata.namespace = namespace;
}

export function namespaceMismatch(): StatusError {
  return StatusError.badRequest(
    "the namespace of the provided object does not match the namespace sent on the request",
  );
}

const systemMembers = ["deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion"] as const;

/** Everything a client may not choose, and everything it left open. */
function initialize(core: Core, { type }: WriteRequest, { draft, applied = false }: NewObject): void {
  const { metadata } = draft;
  metadata.uid = newUid(core.random, metadata);
  metadata.creationTimestamp = core.times.now();
  for (const key of systemMembers) if (key in metadata) delete metadata[key];
  if (type.strategy.generation === "spec") metadata.generation = 1;
  if (type.subresources.status && !type.strategy.bringsStatus) resetStatus(type, draft);
  fillDefaults(type, draft, { applied, settled: core.settled });
  type.strategy.prepareForCreate?.(draft);
}

function resetStatus({ zero }: ResourceType, draft: Draft): void {
  if (zero?.["status"] === undefined) delete draft["status"];
  else draft["status"] = cloneJson(zero["status"]);
}

function creationErrors(core: Core, { type }: WriteRequest, draft: Draft) {
  const object = draft as unknown as ApiObject; // complete but for its revision
  const first = type.strategy.validateFirst?.(object) ?? [];
  if (first.length > 0) return first;
  const metadata = metadataErrors(type, draft);
  const content = [
    ...customErrors(core, type, draft),
    ...(type.strategy.validateNew?.(object) ?? []),
    ...(core.settled.settles(type, draft) ? [] : (type.strategy.validate?.(object) ?? [])),
  ];
  return type.strategy.leavesMetadata && content.length > 0 ? content : [...metadata, ...content];
}

function trackCreation(core: Core, { type, call }: WriteRequest, draft: Draft): void {
  if ("managedFields" in draft.metadata) delete draft.metadata.managedFields;
  trackUpdate({
    schema: type.schema,
    old: undefined,
    next: draft,
    manager: managerOf(call),
    ignored: ignoredFields(type, undefined),
    zero: type.zero,
    time: core.times.now(),
    apiVersion: apiVersionOf(type),
    known: core.updates,
  });
}

/** Undefined when the name is taken. */
async function store(core: Core, { type, namespace, call }: WriteRequest, draft: Draft): Promise<Written | undefined> {
  const key = storageKey(type, namespace, draft.metadata.name!);
  if (call.options.dryRun) {
    if (core.store.get(key) !== undefined) return undefined;
    return { object: draft as unknown as ApiObject, created: true }; // a dry run's object has no revision
  }
  const result = await core.store.create(key, stampRevision(core, type, draft));
  if (result.ok) return { object: core.shapes.served(type, result.entry.value), created: true };
  if (result.why === "noSpace" || result.why === "tooLarge") throw refusedByStore(result);
  return undefined;
}
