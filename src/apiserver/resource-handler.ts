import type { ApiCall, CallOptions } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type Core, namedResource } from "#apiserver/core.ts";
import type { JsonObject } from "#base/json.ts";
import { listObjects } from "./list.ts";
import { storageKey } from "./registry.ts";
import { expectRevisionReached } from "./revision.ts";
import type { ServedAnswer } from "./served-answer.ts";
import { watchObjects } from "./watch.ts";
import { createObject } from "./write/create.ts";
import { deleteObject } from "./write/delete.ts";
import { patchObject } from "./write/patch.ts";
import { readScale, writeScale } from "./write/scale.ts";
import { replaceObject } from "./write/update.ts";
import type { WriteRequest, Written } from "./write/write-request.ts";

/** Serves one call on a known resource, main or status or scale, once the caller was found to be allowed. */
export async function serveResource(core: Core, type: ResourceType, call: ApiCall): Promise<ServedAnswer> {
  const { name, subresource } = call.path;
  const request: WriteRequest = {
    type,
    namespace: type.namespaced ? call.path.namespace : undefined,
    call,
    warnings: call.remarks ?? [],
  };
  if (subresource === "scale") return serveScale(core, request);
  switch (call.verb) {
    case "get":
      return found(type, readObject(core, request));
    case "list":
      return {
        kind: "list",
        type,
        list: listObjects(core, { type, namespace: request.namespace, user: call.user }, call.options),
      };
    case "watch":
      return {
        kind: "watch",
        type,
        watch: watchObjects(core, { type, namespace: request.namespace, user: call.user }, call.options),
      };
    case "create":
      return written(request, await createObject(core, request));
    case "update":
      return written(request, await replaceObject(core, request));
    case "patch":
      return written(request, await patchObject(core, request));
    case "delete":
      return serveDelete(core, request, name!);
    case "deletecollection":
      return serveDeleteCollection(core, request);
  }
}

function readObject(core: Core, { type, namespace, call }: WriteRequest): ApiObject {
  expectRevisionReached(core, type, call.options.resourceVersion);
  const entry = core.store.get(storageKey(type, namespace, call.path.name!));
  if (entry === undefined) throw StatusError.notFound(namedResource(type, call.path.name));
  return core.shapes.served(type, entry.value);
}

function found(type: ResourceType, object: ApiObject): ServedAnswer {
  return { kind: "object", code: 200, object, type, warnings: [] };
}

function written({ type, call, warnings }: WriteRequest, { object, created, old }: Written): ServedAnswer {
  // whoever hands in no place for them reads none: controllers write thousands of objects, and remarks are for people
  const isRead = call.remarks !== undefined && call.path.subresource === undefined;
  const remarks = isRead ? (type.strategy.warnings?.(object, old) ?? []) : [];
  return {
    kind: "object",
    code: created ? 201 : 200,
    object,
    type,
    warnings: [...warnings, ...remarks],
  };
}

async function serveScale(core: Core, request: WriteRequest): Promise<ServedAnswer> {
  const { verb } = request.call;
  if (verb === "get") return { kind: "document", code: 200, document: readScale(core, request) };
  if (verb === "update" || verb === "patch")
    return { kind: "document", code: 200, document: await writeScale(core, request) };
  throw StatusError.methodNotAllowed();
}

/** Said before it is known whether there is anything to delete. */
function remarkDeletion({ type, call, warnings }: WriteRequest): void {
  const remark = type.strategy.deletionRemark;
  if (remark !== undefined && call.options.deletion?.propagationPolicy === undefined) warnings.push(remark);
}

async function serveDelete(core: Core, request: WriteRequest, name: string): Promise<ServedAnswer> {
  remarkDeletion(request);
  const { gone, object } = await deleteObject(core, request, name);
  return gone && request.type.strategy.returnsDeleted !== true
    ? { kind: "document", code: 200, document: deletedStatus(request.type, object) }
    : found(request.type, core.shapes.served(request.type, object));
}

function deletedStatus(type: ResourceType, { metadata }: ApiObject): JsonObject {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: metadata.name,
      ...(type.group === "" ? {} : { group: type.group }),
      kind: type.plural,
      uid: metadata.uid,
    },
  };
}

/** Kubernetes deletes in pages, and a page of a revision is of just that one. */
function pagedOptions(options: CallOptions): CallOptions {
  const { resourceVersion = "", resourceVersionMatch, continue: token } = options;
  if (/^0*$/.test(resourceVersion) || resourceVersionMatch !== undefined || token !== undefined) return options;
  return { ...options, resourceVersionMatch: "Exact" };
}

async function serveDeleteCollection(core: Core, request: WriteRequest): Promise<ServedAnswer> {
  const { type, namespace, call } = request;
  remarkDeletion(request);
  const list = listObjects(core, { type, namespace, user: call.user }, pagedOptions(call.options));
  const items: ApiObject[] = [];
  for (const item of list.items) {
    const single = { ...request, namespace: item.metadata.namespace };
    try {
      items.push(core.shapes.served(type, (await deleteObject(core, single, item.metadata.name)).object));
    } catch (error: unknown) {
      if (!(error instanceof StatusError && error.reason === "NotFound")) throw error; // somebody else was faster
    }
  }
  return { kind: "list", type, list: { resourceVersion: String(core.store.revision), items } };
}
