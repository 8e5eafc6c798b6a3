import type {
  ApiAnswer,
  ApiTransport,
  CallOptions,
  DeleteOptions,
  ObjectList,
  PatchType,
  ResourcePath,
  UserInfo,
  WatchSource,
} from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ObjectKey, ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { cloneJson } from "#base/json.ts";

/** What a new object needs; the server fills in the rest. */
export interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Partial<ApiObject["metadata"]>;
  readonly [field: string]: unknown;
}

export interface PatchRequest {
  readonly type: PatchType;
  readonly patch: unknown;
  readonly subresource?: "status";
  readonly force?: boolean;
}

/** Typed access to one API server, by whatever transport: over the network, or by function call in this process. */
export interface Client {
  /** Undefined when there is no such object. */
  get(resource: ResourceId, key: ObjectKey): Promise<ApiObject | undefined>;
  list(resource: ResourceId, options?: CallOptions & { readonly namespace?: string }): Promise<ObjectList>;
  watch(resource: ResourceId, options?: CallOptions & { readonly namespace?: string }): Promise<WatchSource>;
  /** What takes its time to be answered may be given more than others have. */
  create(resource: ResourceId, object: NewObject, patience?: Pick<CallOptions, "timeoutSeconds">): Promise<ApiObject>;
  update(resource: ResourceId, object: ApiObject): Promise<ApiObject>;
  updateStatus(resource: ResourceId, object: ApiObject): Promise<ApiObject>;
  patch(resource: ResourceId, key: ObjectKey, request: PatchRequest): Promise<ApiObject>;
  /** False when it was gone already. */
  delete(resource: ResourceId, key: ObjectKey, options?: DeleteOptions): Promise<boolean>;
  /** POST or PUT to a subresource with a body of its own (`finalize`, `binding`, `token`). */
  post(resource: ResourceId, key: ObjectKey, request: SubresourceRequest): Promise<unknown>;
  /** Tells what this client's own writes of a resource came to, where watches may be later than answers; returns what ends it. */
  onWritten?(resource: ResourceId, listener: (object: ApiObject) => void): () => void;
}

export interface SubresourceRequest {
  readonly verb: "create" | "update";
  readonly subresource: string;
  readonly body: unknown;
}

export interface ClientOptions {
  readonly transport: ApiTransport;
  readonly user: UserInfo;
  /** Recorded as the owner of the fields it writes. */
  readonly manager: string;
}

export function createClient({ transport, user, manager }: ClientOptions): Client {
  const options: CallOptions = { fieldManager: manager, fieldValidation: "Ignore" };
  const write = async (verb: "create" | "update", path: ResourcePath, body: unknown, patience: CallOptions = {}) =>
    objectOf(await transport.call({ verb, path, user, options: { ...options, ...patience }, body }));
  return {
    async get(resource, key) {
      try {
        return objectOf(await transport.call({ verb: "get", path: pathOf(resource, key), user, options: {} }));
      } catch (error: unknown) {
        return absentWhenNotFound(error);
      }
    },
    async list(resource, { namespace, ...rest } = {}) {
      const answer = await transport.call({ verb: "list", path: pathOf(resource, { namespace }), user, options: rest });
      if (answer.kind !== "list") throw unexpected(answer);
      return answer.list;
    },
    async watch(resource, { namespace, ...rest } = {}) {
      const answer = await transport.call({
        verb: "watch",
        path: pathOf(resource, { namespace }),
        user,
        options: rest,
      });
      if (answer.kind !== "watch") throw unexpected(answer);
      return answer.watch;
    },
    create: (resource, object, patience) =>
      write("create", pathOf(resource, { namespace: object.metadata.namespace }), object, patience),
    update: (resource, object) => write("update", pathOf(resource, object.metadata), object),
    updateStatus: (resource, object) => write("update", pathOf(resource, object.metadata, "status"), object),
    async patch(resource, key, { type, patch, subresource, force }) {
      const path = pathOf(resource, key, subresource);
      const all = { ...options, ...(force === undefined ? {} : { force }) };
      return objectOf(
        await transport.call({ verb: "patch", path, user, options: all, body: cloneJson(patch), patchType: type }),
      );
    },
    async delete(resource, key, deletion = {}) {
      try {
        await transport.call({ verb: "delete", path: pathOf(resource, key), user, options: { deletion } });
        return true;
      } catch (error: unknown) {
        return absentWhenNotFound(error) ?? false;
      }
    },
    async post(resource, key, { verb, subresource, body }) {
      const answer = await transport.call({
        verb,
        path: { ...pathOf(resource, key), subresource },
        user,
        options,
        body,
      });
      return answer.kind === "document" ? answer.document : objectOf(answer);
    },
  };
}

function pathOf(
  { group, version, resource }: ResourceId,
  { namespace, name }: Partial<ObjectKey> | { namespace: string | undefined; name?: never },
  subresource?: string,
): ResourcePath {
  const path: { -readonly [Part in keyof ResourcePath]: ResourcePath[Part] } = { group, version, resource };
  if (namespace !== undefined) path.namespace = namespace;
  if (name !== undefined) path.name = name;
  if (subresource !== undefined) path.subresource = subresource;
  return path;
}

function objectOf(answer: ApiAnswer): ApiObject {
  if (answer.kind === "object") return answer.object;
  throw unexpected(answer);
}

function absentWhenNotFound(error: unknown): undefined {
  if (error instanceof StatusError && error.reason === "NotFound") return undefined;
  throw error;
}

function unexpected(answer: ApiAnswer): Error {
  return new Error(`cannot use the server's answer: expected an object, got a ${answer.kind}`);
}
