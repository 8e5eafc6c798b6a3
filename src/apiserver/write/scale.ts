import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType, ScalePaths } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { FieldSet } from "#apiserver/apply/field-set.ts";
import { managersOfScale, managersOfScaled, type ReplicasOf, scaleVersion } from "#apiserver/apply/scale-managers.ts";
import { trackUpdate } from "#apiserver/apply/track-update.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import { apiVersionOf, storageKey } from "#apiserver/registry.ts";
import { expectRevisionReached } from "#apiserver/revision.ts";
import { invalid } from "#base/field-error.ts";
import { cloneJson, type JsonObject } from "#base/json.ts";
import { decodeObject } from "./decode-object.ts";
import { patchedObject, unsupportedPatchType } from "./patch.ts";
import { scaleOf, scaleSpec, scaleTypeOf, segmentsOf, setAt, valueAt } from "./scale-form.ts";
import { appliedObject } from "./server-side-apply.ts";
import { changeObject, expectName, expectRevision, expectSameObject } from "./update.ts";
import { managerOf, type WriteRequest } from "./write-request.ts";

/** GET …/scale: the replicas of any scalable object in one form. */
export function readScale(core: Core, { type, namespace, call }: WriteRequest): JsonObject {
  expectRevisionReached(core, type, call.options.resourceVersion);
  const entry = core.store.get(storageKey(type, namespace, call.path.name!));
  if (entry === undefined) throw StatusError.notFound(namedResource(type, call.path.name));
  return scaleOf(scalePaths(type), core.shapes.served(type, entry.value));
}

/** PUT or PATCH …/scale: only the replicas change, and who owns them. */
export async function writeScale(core: Core, request: WriteRequest): Promise<JsonObject> {
  const { type, call } = request;
  const paths = scalePaths(type);
  if (call.patchType === "strategic" && type.custom) throw unsupportedPatchType();
  const main: WriteRequest = { ...request, call: { ...call, path: withoutSubresource(request) } };
  const scaling: WriteRequest = { ...request, type: scaleTypeOf(type) };
  const sent = call.verb === "patch" ? undefined : sentScale(core, scaling);
  const { object } = await changeObject(core, main, (current) => {
    if (sent !== undefined) expectSameObject(type, sent, current);
    const scale = sent ?? patchedScale(core, { request, scaling }, current);
    if (!type.custom) expectReplicas(scale); // a custom resource is judged as such
    if (!type.custom && sent === undefined) expectSameScale(type, scale, current);
    const { resourceVersion } = scale.metadata;
    if (resourceVersion) expectRevision(type, resourceVersion, current);
    const draft = cloneJson(current) as unknown as Draft; // a private copy
    setAt(draft, paths.specReplicasPath, replicasOf(scale));
    setManagers(draft, scaledManagers(core, request, { current, scale }));
    return { draft, conditional: Boolean(resourceVersion) && sent !== undefined, applied: true };
  });
  return scaleOf(paths, object);
}

function withoutSubresource({ call }: WriteRequest) {
  const { subresource: _, ...path } = call.path;
  return path;
}

function sentScale(core: Core, scaling: WriteRequest): Draft {
  const { draft, warnings } = decodeObject(scaling.type, scaling.call, core);
  scaling.warnings.push(...warnings);
  expectName(scaling, draft);
  return draft;
}

interface ScaleRequest {
  readonly request: WriteRequest;
  /** The same about the Scale. */
  readonly scaling: WriteRequest;
}

function patchedScale(core: Core, { request, scaling }: ScaleRequest, current: ApiObject): Draft {
  const { type, call } = request;
  const paths = scalePaths(type);
  const live = scaleOf(paths, current) as unknown as ApiObject; // it has metadata
  const scale =
    call.patchType === "apply"
      ? appliedObject(core, scaling, withManagers(live, managersBefore(core, type, current)))
      : patchedObject(core, scaling, live);
  if (type.custom && scale.spec?.replicas === undefined && valueAt(current, paths.specReplicasPath) === undefined)
    throw StatusError.badRequest(`the spec replicas field "${paths.specReplicasPath}" cannot be empty`);
  return scale;
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

interface Scaling {
  readonly current: ApiObject;
  readonly scale: Draft;
}

/** Who owns what of the object once it is scaled: whoever applied the Scale has settled that, an update is recorded. */
function scaledManagers(core: Core, { type, call }: WriteRequest, { current, scale }: Scaling) {
  const live = scaleOf(scalePaths(type), current) as unknown as ApiObject; // it has metadata
  const old = withManagers(live, managersBefore(core, type, current));
  const tracked =
    call.patchType === "apply"
      ? scale
      : trackUpdate({
          schema: scaleTypeOf(type).schema,
          old,
          next: { ...live, metadata: { ...live.metadata }, spec: scaleSpec(replicasOf(scale)) } as unknown as Draft, // likewise
          manager: managerOf(call),
          subresource: "scale",
          time: core.times.now(),
          apiVersion: scaleVersion,
        });
  return managersOfScaled({
    entries: current.metadata.managedFields,
    scaleEntries: tracked.metadata.managedFields,
    apiVersion: apiVersionOf(type),
    replicasOf: replicasPathsOf(core, type),
  });
}

function managersBefore(core: Core, type: ResourceType, { metadata }: ApiObject) {
  return managersOfScale(metadata.managedFields, replicasPathsOf(core, type));
}

function withManagers(object: ApiObject, entries: ReturnType<typeof managersBefore>): ApiObject {
  return entries === undefined ? object : { ...object, metadata: { ...object.metadata, managedFields: entries } };
}

function setManagers({ metadata }: Draft, entries: ReturnType<typeof managersBefore>): void {
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}

/** Versions of one kind may have their replicas in different places. */
function replicasPathsOf({ registry }: Core, { kind }: ResourceType): ReplicasOf {
  return (apiVersion) => {
    const type = registry.ofKind(apiVersion, kind);
    if (type === undefined) return undefined;
    return type.subresources.scale === undefined ? null : fieldAt(type.subresources.scale.specReplicasPath);
  };
}

function fieldAt(path: string): FieldSet {
  return segmentsOf(path).reduceRight<FieldSet>((below, name) => ({ [`f:${name}`]: below }), {});
}

function scalePaths(type: ResourceType): ScalePaths {
  if (type.subresources.scale === undefined) throw StatusError.unknownResource();
  return type.subresources.scale;
}
