import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { trackUpdate } from "#apiserver/apply/track-update.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import { apiVersionOf, storageKey } from "#apiserver/registry.ts";
import { goQuote } from "#base/go-text.ts";
import { cloneJson, jsonEquals, jsonEqualsBut, membersBut } from "#base/json.ts";
import type { Entry, UpdateResult } from "#storage/store.ts";
import { allocate } from "./allocate.ts";
import { createDraft, namespaceMismatch } from "./create.ts";
import { customRemarks, customUpdateErrors } from "./custom-errors.ts";
import { decodeObject } from "./decode-object.ts";
import { fillDefaults, fillStatusDefaults } from "./fill-defaults.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { immutableMetadataErrors, metadataErrors } from "./object-metadata.ts";
import { leaveOutRepeatedOwners } from "./owner-references.ts";
import { stampRevision } from "./stamp-revision.ts";
import { revisionAlone, withStatusOf } from "./status-metadata.ts";
import { trackOwnStatus } from "./track-own-status.ts";
import {
  managerOf,
  refusedByStore,
  refuseInvalid,
  runAdmission,
  type WriteRequest,
  type Written,
} from "./write-request.ts";
import { writtenPart } from "./written-part.ts";

const modified = "the object has been modified; please apply your changes to the latest version and try again";
/** Each attempt starts from a newer state; more than this means that something writes without end. */
const maxAttempts = 100;

/** What becomes of the current object: the next draft, and whether the caller minds a newer revision. */
export interface Change {
  readonly draft: Draft;
  /** The client named the revision it started from: a newer one is a conflict, not a reason to try again. */
  readonly conditional: boolean;
  /** The managed fields are settled already (server-side apply). */
  readonly applied?: boolean;
}

/** PUT: the request's body replaces the object, or its status. */
export function replaceObject(core: Core, request: WriteRequest): Promise<Written> {
  const { type, call } = request;
  const stored = core.store.get(keyOf(request));
  const { call: written, kept } = writtenPart(call, stored?.value, (status) => core.settled.keptLike(type, status));
  const { draft, warnings } = decodeObject(type, written, core, kept);
  request.warnings.push(...warnings);
  expectName(request, draft);
  const revision = draft.metadata.resourceVersion;
  if (stored === undefined && type.strategy.createOnUpdate && !call.path.subresource) {
    delete draft.metadata.resourceVersion;
    return createDraft(core, request, { draft });
  }
  const conditional = revision !== undefined && !/^0*$/.test(revision);
  let next = draft;
  return changeObject(core, request, (current) => {
    const given = next;
    expectSameObject(type, given, current);
    expectRevision(type, revision, current);
    if (!conditional) next = cloneJson(given); // for the next try; what is bound to a revision gets none
    return { draft: given, conditional };
  });
}

/** Reads, changes, writes; starts over when somebody was faster, unless the change is bound to a revision. */
export async function changeObject(
  core: Core,
  request: WriteRequest,
  change: (current: ApiObject) => Change,
): Promise<Written> {
  const { type, call } = request;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const entry = core.store.get(keyOf(request));
    if (entry === undefined) throw StatusError.notFound(namedResource(type, call.path.name));
    const current = core.shapes.served(type, entry.value);
    const outdated = core.shapes.isOutdated(type, entry.value);
    const { draft, conditional, applied = false } = change(current);
    const preparing = prepareUpdate(core, request, { current, draft, applied, outdated });
    const next = preparing instanceof Promise ? await preparing : preparing;
    if (next === undefined) return { object: current, created: false, old: current };
    allocate(core, type, next);
    if (call.options.dryRun) {
      next.metadata.resourceVersion = current.metadata.resourceVersion;
      return { object: next as unknown as ApiObject, created: false, old: current }; // complete but not stored
    }
    const result = await commit(core, request, entry, next);
    if (result.ok) return { object: core.shapes.served(type, result.entry.value), created: false, old: current };
    if (result.why === "noSpace" || result.why === "tooLarge") throw refusedByStore(result);
    if (result.why === "missing") throw StatusError.notFound(namedResource(type, call.path.name));
    if (conditional) throw StatusError.conflict(namedResource(type, call.path.name), modified);
  }
  throw StatusError.conflict(namedResource(type, call.path.name), modified);
}

/** Removing the last finalizer of a marked object removes the object. */
function commit(
  core: Core,
  { type }: WriteRequest,
  entry: Entry<ApiObject>,
  next: Draft,
): Promise<UpdateResult<ApiObject>> {
  return isReleased(type, next)
    ? core.store.delete(entry.key, entry.revision, stampRevision(core, type, next))
    : core.store.update(entry.key, entry.revision, stampRevision(core, type, next));
}

function isReleased({ strategy }: ResourceType, next: Draft): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = next.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0 || (deletionGracePeriodSeconds ?? 0) > 0) return false;
  return strategy.isDeletable?.(next as unknown as ApiObject) ?? true; // complete but for its revision
}

interface Update {
  readonly current: ApiObject;
  readonly draft: Draft;
  readonly applied: boolean;
  /** What is stored has not the present shape: even an update without a change brings it there. */
  readonly outdated: boolean;
}

/** The draft made storable, undefined when nothing would change; a promise only when some plug-in of admission needs one. */
function prepareUpdate(
  core: Core,
  request: WriteRequest,
  update: Update,
): Draft | undefined | Promise<Draft | undefined> {
  const { current, draft, applied } = update;
  const { type, call } = request;
  const isStatus = call.path.subresource === "status";
  leaveOutRepeatedOwners(draft, request.warnings);
  const next = isStatus ? withStatusOf(type, draft, current) : withoutStatusOf(type, draft, current);
  keepSystemMetadata(next, current);
  if (isStatus) fillStatusDefaults(type, next, { old: current, applied, settled: core.settled });
  else fillDefaults(type, next, { applied, settled: core.settled });
  if (call.path.subresource === undefined) type.strategy.prepareForUpdate?.(next, current);
  if (!isStatus) countGeneration(type, next, current);
  const admission = runAdmission(core, request, next, current, () =>
    refuseInvalid(type, current.metadata.name, updateErrors(core, request, next, current)),
  );
  const admitted = () => {
    // of built-in kinds code judges every write; what it makes of one must not depend on what was there before
    if (isStatus && !type.custom && type.strategy.prepareStatus === undefined)
      core.settled.foundRight(type, next["status"]);
    return recordUpdate(core, request, next, update);
  };
  return admission === undefined ? admitted() : admission.then(admitted);
}

/** What was admitted, with who owns what of it now. */
function recordUpdate(
  core: Core,
  { type, call, warnings }: WriteRequest,
  next: Draft,
  { current, applied, outdated }: Omit<Update, "draft">,
): Draft | undefined {
  const isStatus = call.path.subresource === "status";
  if (!isStatus) {
    countGeneration(type, next, current);
    warnings.push(...customRemarks(type, next, current));
  }
  if (!applied) {
    if (!outdated && sameContent(next, current) && next.metadata.managedFields === undefined) return undefined;
    trackUpdate({
      schema: type.schema,
      old: current,
      next,
      manager: managerOf(call),
      subresource: call.path.subresource,
      ignored: ignoredFields(type, call.path.subresource),
      zero: type.zero,
      time: core.times.now(),
      apiVersion: apiVersionOf(type),
      known: core.updates,
    });
  }
  if (!isStatus) trackOwnStatus({ type, old: current, next, time: core.times.now() });
  const idle = !outdated && sameContent(next, current) && sameManagers(next, current) && !isReleased(type, next);
  return idle ? undefined : next;
}

function updateErrors(core: Core, { type, call }: WriteRequest, next: Draft, current: ApiObject) {
  const object = next as unknown as ApiObject; // complete but for its revision
  const isStatus = call.path.subresource === "status";
  const keepsMetadata = isStatus && (type.custom || sameMetadata(next, current));
  const isJudged = call.path.subresource === undefined && !core.settled.settles(type, next);
  const first = call.path.subresource === undefined ? (type.strategy.validateFirst?.(object, current) ?? []) : [];
  if (first.length > 0) return first;
  return [
    ...(keepsMetadata ? [] : metadataErrors(type, next, current.metadata)),
    ...(keepsMetadata ? [] : immutableMetadataErrors(next, current)),
    ...customUpdateErrors(core, { type, next, current, isStatus }),
    ...(isJudged ? (type.strategy.validate?.(object) ?? []) : []),
    ...(call.path.subresource === undefined ? (type.strategy.validateUpdate?.(object, current) ?? []) : []),
    ...(isStatus ? (type.strategy.validateStatus?.(object, current) ?? []) : []),
  ];
}

function withoutStatusOf(type: ResourceType, draft: Draft, current: ApiObject): Draft {
  if (!type.subresources.status) return draft;
  if (current["status"] === undefined) delete draft["status"];
  else draft["status"] = cloneJson(current["status"]);
  return draft;
}

function keepSystemMetadata(next: Draft, current: ApiObject): void {
  // deleting from it would make it slow to read
  if ("resourceVersion" in next.metadata) next.metadata = membersBut(next.metadata, revisionAlone);
  const { metadata } = next;
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, namespace, name } =
    current.metadata;
  metadata.name = name;
  metadata.uid ||= uid; // another is for validation to refuse
  metadata.creationTimestamp = creationTimestamp;
  if (namespace !== undefined) metadata.namespace = namespace;
  if (deletionTimestamp !== undefined) metadata.deletionTimestamp = deletionTimestamp; // what a client sets itself is refused later
  if (deletionGracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds ??= deletionGracePeriodSeconds;
  if (generation !== undefined) metadata.generation = generation;
  else if ("generation" in metadata) delete metadata.generation;
}

/** What is no content of an object, and what is none that its generation counts. */
const aroundContent: ReadonlySet<string> = new Set(["metadata"]);
const besideContent: ReadonlySet<string> = new Set(["metadata", "status"]);
/** What the server keeps about a write rather than what it says. */
const kept: ReadonlySet<string> = new Set(["managedFields", "resourceVersion"]);

function countGeneration(type: ResourceType, next: Draft, current: ApiObject): void {
  if (type.strategy.generation !== "spec") return;
  const changed =
    !jsonEqualsBut(next, current, besideContent) ||
    (!type.subresources.status && !jsonEquals(next["status"], current["status"])) ||
    (type.strategy.generationCountsAnnotations === true &&
      !jsonEquals(next.metadata.annotations, current.metadata.annotations));
  next.metadata.generation = (current.metadata.generation ?? 0) + (changed ? 1 : 0);
}

function sameContent(next: Draft, current: ApiObject): boolean {
  return sameMetadata(next, current) && jsonEqualsBut(next, current, aroundContent);
}

function sameMetadata({ metadata }: Draft, current: ApiObject): boolean {
  return jsonEqualsBut(metadata, current.metadata, kept);
}

/** Who manages what, but for when they last did. */
function sameManagers({ metadata }: Draft, current: ApiObject): boolean {
  const untimed = (entries: Draft["metadata"]["managedFields"]) =>
    (entries ?? []).map(({ time: _, ...entry }) => entry);
  return jsonEquals(untimed(metadata.managedFields), untimed([...(current.metadata.managedFields ?? [])]));
}

/** An object says by which name it is to be known: the one of its path. */
export function expectNameOfPath(name: unknown, path: string): void {
  if (name === undefined || name === null || name === "") {
    throw StatusError.badRequest(
      `the name of the object (${path} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name === path) return;
  throw StatusError.badRequest(`the name of the object (${String(name)}) does not match the name on the URL (${path})`);
}

/** The name and the place of an object that replaces another are those of its path. */
export function expectName({ type, namespace, call }: WriteRequest, { metadata }: Draft): void {
  if (!type.namespaced) delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== namespace) throw namespaceMismatch();
  if (type.namespaced && namespace !== undefined) metadata.namespace = namespace;
  expectNameOfPath(metadata.name, call.path.name!);
}

/** Who replaces an object and says which one it is means no other of the same name. */
export function expectSameObject(type: ResourceType, { metadata }: Draft, current: ApiObject): void {
  if (!metadata.uid || metadata.uid === current.metadata.uid) return;
  const { namespace, name } = current.metadata;
  const place = type.custom ? [type.group, type.plural] : [keptUnder[type.plural] ?? type.plural];
  const key = ["", ...place, ...(namespace === undefined ? [] : [namespace]), name].join("/");
  const failed = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${current.metadata.uid}`;
  const detail = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`;
  throw StatusError.conflict(namedResource(type, current.metadata.name), detail);
}

/** Resources that Kubernetes keeps under another name than its own; messages show it. */
const keptUnder: Readonly<Record<string, string>> = {
  replicationcontrollers: "controllers",
  endpoints: "services/endpoints",
  nodes: "minions",
  services: "services/specs",
  ingresses: "ingress",
};

/** A write is bound to the revision that it names; some kinds are not written without one. */
export function expectRevision(type: ResourceType, revision: string | undefined, current: ApiObject): void {
  if (revision === undefined || revision === "" || /^0+$/.test(revision)) {
    if (type.strategy.unconditionalUpdate) return;
    throw StatusError.invalid(namedResource(type, current.metadata.name), [
      { path: "metadata.resourceVersion", type: "invalid", value: 0, detail: "must be specified for an update" },
    ]);
  }
  if (revision === current.metadata.resourceVersion) return; // whatever it looks like: on a plan's fork it is no number
  if (!/^[0-9]+$/.test(revision)) {
    throw new StatusError(500, "", `strconv.ParseUint: parsing ${goQuote(revision)}: invalid syntax`);
  }
  throw StatusError.conflict(namedResource(type, current.metadata.name), modified);
}

function keyOf({ type, namespace, call }: WriteRequest): string {
  return storageKey(type, namespace, call.path.name!);
}
