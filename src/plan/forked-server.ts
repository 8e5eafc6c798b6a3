import { KeyLists } from "#admission/key-lists.ts";
import { mutateBinding } from "#admission/mutate-binding.ts";
import { mutateWork } from "#admission/mutate-work.ts";
import type { DeleteOptions } from "#api/meta/api-call.ts";
import type { ApiObject, Draft, DraftMeta } from "#api/meta/object-meta.ts";
import { keyOf, type ObjectKey, printKey, type ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import { workIdLabel } from "#api/work/work-keys.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import { type JsonObject, jsonEquals, jsonEqualsBut, mergeMembers } from "#base/json.ts";
import { mergePatched } from "#base/patch/merge-patch.ts";
import type { Client, NewObject, PatchRequest } from "#client/client.ts";
import type { ForkedCaches } from "./forked-caches.ts";
import { OwnedObjects } from "./owned-objects.ts";

const namespaces = { group: "", resource: "namespaces" };
const bindingKinds: ReadonlySet<string> = new Set([ResourceBindings.namespaced.kind, ResourceBindings.cluster.kind]);
const notContent: ReadonlySet<string> = new Set(["metadata", "status"]);
const metadataAlone: ReadonlySet<string> = new Set(["metadata"]);
const revisionFields: ReadonlySet<string> = new Set(["resourceVersion", "managedFields"]);

export interface ForkedServerNeeds {
  readonly caches: ForkedCaches;
  readonly clock: Clock;
}

/** What became of an object since the fork. */
export interface WrittenObject {
  readonly object: ApiObject | undefined;
  readonly accepted: ApiObject | undefined;
}

/**
 * An API server as the controllers see it, over forked caches: revisions, generations, conflicts, finalizers, what admission writes into
 * bindings and works, and the clearing up after deletions. It trusts its callers: what users want is judged before it comes here.
 */
export class ForkedServer {
  readonly #needs: ForkedServerNeeds;
  readonly #owned: OwnedObjects;
  /** Namespaces that are being emptied. */
  readonly #terminating = new Map<string, ApiObject>();
  #revision = 0;
  readonly #lists = new KeyLists();
  /** What users wanted last: who owns which field is known of these alone. */
  readonly #accepted = new Map<string, ApiObject>();
  #identities = 0;
  #time = { ms: Number.NaN, text: "" };

  constructor(needs: ForkedServerNeeds) {
    this.#needs = needs;
    this.#owned = new OwnedObjects(needs.caches);
  }

  /** How many writes there have been. */
  get revision(): number {
    return this.#revision;
  }

  get(resource: ResourceId, key: ObjectKey): ApiObject | undefined {
    return this.#needs.caches.of(resource)?.get(key);
  }

  /** What was written under a name since the fork, and how users wanted it last, if they did; undefined: nothing was. */
  written(resource: Pick<ResourceId, "group" | "resource">, key: ObjectKey): WrittenObject | undefined {
    const cache = this.#needs.caches.of(resource);
    if (cache?.isWritten(key) !== true) return undefined;
    return { object: cache.get(key), accepted: this.#accepted.get(acceptedKey(resource, key)) };
  }

  /** An object as users want it, complete; the one of that name is replaced. */
  accept(resource: ResourceId, object: ApiObject): void {
    const old = this.get(resource, keyOf(object));
    this.#accepted.set(acceptedKey(resource, keyOf(object)), object);
    if (old !== undefined && isSameButRevision(old, object)) return;
    this.#store(resource, { ...object, metadata: { ...object.metadata } });
  }

  /** False when it is gone already. */
  delete(resource: ResourceId, key: ObjectKey, { preconditions }: DeleteOptions = {}): boolean {
    const old = this.get(resource, key);
    if (old === undefined) return false;
    const named = { group: resource.group, resource: resource.resource, name: key.name };
    if (preconditions?.uid !== undefined && preconditions.uid !== old.metadata.uid)
      throw StatusError.conflict(named, "it is another object by now");
    const isNamespace = resource.group === "" && resource.resource === "namespaces";
    if (!isNamespace && (old.metadata.finalizers ?? []).length === 0) this.#remove(resource, old);
    else if (old.metadata.deletionTimestamp === undefined) {
      const { generation } = old.metadata;
      const metadata = merged(old.metadata, {
        deletionTimestamp: this.#now(),
        deletionGracePeriodSeconds: 0,
        ...(generation !== undefined && { generation: generation + 1 }),
      });
      const marked = { ...old, metadata } as unknown as ApiObject; // with a mark
      this.#store(resource, marked);
      if (isNamespace) this.#empty(marked);
    }
    return true;
  }

  /** An object with another status; false when it is the one that it has. */
  report(resource: ResourceId, object: ApiObject): boolean {
    const before = this.#revision;
    this.#update(resource, object, "status");
    return this.#revision > before;
  }

  /** Namespaces in which nothing is left go, and whether any did. */
  sweep(): boolean {
    let swept = false;
    for (const [name, namespace] of this.#terminating) {
      if (this.#contentOf(name).length > 0) continue;
      this.#terminating.delete(name);
      this.#remove(this.#needs.caches.of(namespaces)!.resource, namespace);
      swept = true;
    }
    return swept;
  }

  client(): Client {
    const unsupported = () => Promise.reject(new Error("cannot do this in a plan: controllers have no use for it"));
    return {
      get: async (resource, key) => this.get(resource, key),
      create: async (resource, object) => this.#create(resource, object),
      update: async (resource, object) => this.#update(resource, object, "content"),
      updateStatus: async (resource, object) => this.#update(resource, object, "status"),
      patch: async (resource, key, request) => this.#patch(resource, key, request),
      delete: async (resource, key, options) => this.delete(resource, key, options),
      list: unsupported,
      watch: unsupported,
      post: unsupported,
    };
  }

  #create(resource: ResourceId, object: NewObject): ApiObject {
    const named = { group: resource.group, resource: resource.resource, name: object.metadata.name };
    this.#expectNamespace(object.metadata.namespace, named);
    if (this.get(resource, keyOf(object as ApiObject)) !== undefined) throw StatusError.alreadyExists(named);
    const uid = this.#identity();
    const created = this.#admitted(completed(object as ApiObject)); // and with what follows
    const metadata = created.metadata as DraftMeta; // made for this
    metadata.uid = uid;
    metadata.creationTimestamp = this.#now();
    metadata.generation = 1;
    return this.#store(resource, created);
  }

  #update(resource: ResourceId, object: ApiObject, part: "content" | "status"): ApiObject {
    const old = this.#found(resource, keyOf(object));
    const given = object.metadata.resourceVersion as string | undefined; // a client may leave it open
    if (given !== undefined && given !== old.metadata.resourceVersion)
      throw StatusError.conflict({ ...resource, name: object.metadata.name }, "the object has been modified");
    if (part === "content" && isLetGo(object)) return this.#remove(resource, object);
    const isOurs = resource.group.endsWith("karmada.io");
    const next =
      part === "status"
        ? { ...old, metadata: { ...old.metadata }, status: object["status"] }
        : this.#admitted(object, isOurs ? { status: old["status"] } : undefined);
    const isOther = part === "content" && isOtherContent(resource, next, old);
    if (!isOther && isSameButRevision(next, old)) return old;
    if (isLetGo(next)) return this.#remove(resource, next);
    const { generation } = old.metadata;
    if (isOther && generation !== undefined) (next.metadata as DraftMeta).generation = generation + 1; // made for this
    return this.#store(resource, next);
  }

  #patch(resource: ResourceId, key: ObjectKey, { type, patch, subresource }: PatchRequest): ApiObject {
    if (type !== "merge") throw new Error(`cannot take a ${type} patch in a plan`);
    const old = this.#found(resource, key);
    const patched = mergePatched(old, patch as object) as unknown as ApiObject; // as controllers write them; an object still
    return this.#update(resource, patched, subresource ?? "content");
  }

  #found(resource: ResourceId, key: ObjectKey): ApiObject {
    const old = this.get(resource, key);
    if (old !== undefined) return old;
    throw StatusError.notFound({ group: resource.group, resource: resource.resource, name: key.name });
  }

  /** Takes an object that was made for it: its metadata get the revision in place. */
  #store(resource: ResourceId, made: ApiObject): ApiObject {
    this.#revision++;
    (made.metadata as DraftMeta).resourceVersion = `plan-${this.#revision}`;
    this.#needs.caches.put(resource, made);
    this.#owned.note(resource, made);
    return made;
  }

  #remove(resource: ResourceId, object: ApiObject): ApiObject {
    this.#revision++;
    this.#needs.caches.remove(resource, object);
    for (const { resource: of, object: dependent } of this.#owned.bereftBy(object)) this.delete(of, keyOf(dependent));
    return object;
  }

  /** A copy with what admission does to what controllers write; its metadata are its own. */
  #admitted(object: ApiObject, kept?: object): ApiObject {
    const draft = merged(object, { ...kept, metadata: merged(object.metadata) }) as unknown as Draft; // what is set is ours alone
    if (bindingKinds.has(object.kind)) mutateBinding(draft, { id: this.#identity() });
    if (object.kind === Works.kind) {
      const { workload } = object["spec"] as { readonly workload?: object }; // a Work
      draft["spec"] = { ...(object["spec"] as object), workload: { ...workload } };
      const id = object.metadata.labels?.[workIdLabel] || this.#identity();
      mutateWork(draft, { id, prune: asRendered, lists: this.#lists });
    }
    return draft as unknown as ApiObject;
  }

  /** Time stands still in a plan, mostly. */
  #now(): string {
    const ms = this.#needs.clock.nowMs();
    if (ms !== this.#time.ms) this.#time = { ms, text: formatTime(ms) };
    return this.#time.text;
  }

  #identity(): string {
    this.#identities++;
    return `00000000-0000-4000-8000-${String(this.#identities).padStart(12, "0")}`;
  }

  #expectNamespace(name: string | undefined, named: { readonly group: string; readonly resource: string }): void {
    if (name === undefined) return;
    const namespace = this.#needs.caches.of(namespaces)?.get({ name });
    if (namespace === undefined) throw StatusError.notFound({ ...namespaces, name });
    if (namespace.metadata.deletionTimestamp !== undefined)
      throw StatusError.forbidden(named, `namespace ${name} is being terminated`);
  }

  #empty(namespace: ApiObject): void {
    const { name } = namespace.metadata;
    this.#terminating.set(name, namespace);
    for (const { resource, object } of this.#contentOf(name)) this.delete(resource, keyOf(object));
  }

  #contentOf(namespace: string) {
    return this.#needs.caches
      .all()
      .filter(({ resource }) => resource.namespaced)
      .flatMap((cache) =>
        [...cache.all()]
          .filter(({ metadata }) => metadata.namespace === namespace)
          .map((object) => ({ resource: cache.resource, object })),
      );
  }
}

function acceptedKey({ group, resource }: Pick<ResourceId, "group" | "resource">, key: ObjectKey): string {
  return `${group}/${resource} ${printKey(key)}`;
}

/** What the server itself writes into what controllers create. */
function completed(object: ApiObject): ApiObject {
  if (object.kind !== "Namespace") return object;
  const { name, labels } = object.metadata;
  const named = { ...labels, "kubernetes.io/metadata.name": name };
  return { ...object, metadata: { ...object.metadata, labels: named }, spec: { finalizers: ["kubernetes"] } };
}

/** Whether an object was to go, and nobody holds it any more. */
function isLetGo({ metadata: { deletionTimestamp, finalizers = [] } }: ApiObject): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0;
}

/** A copy with further members, one hidden class for all that are alike: there may be very many. */
function merged(object: object, more: object = {}): object {
  return mergeMembers<unknown>(object as JsonObject, more as JsonObject); // whose members are named by no type
}

/** What controllers render has been pruned. */
function asRendered<T>(value: T) {
  return { ok: true, value } as const;
}

/** Whether a state is a new generation: it says something else, or, as Kubernetes has it, is a Deployment with other annotations. */
function isOtherContent({ group, resource }: ResourceId, next: ApiObject, old: ApiObject): boolean {
  if (!jsonEqualsBut(next, old, notContent)) return true;
  const counts = group === "apps" && resource === "deployments";
  return counts && !jsonEquals(next.metadata.annotations ?? {}, old.metadata.annotations ?? {});
}

function isSameButRevision(a: ApiObject, b: ApiObject): boolean {
  return jsonEqualsBut(a, b, metadataAlone) && jsonEqualsBut(a.metadata, b.metadata, revisionFields);
}
