import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ObjectKey, type ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Client } from "#client/client.ts";
import type { MemberView } from "#members/member.ts";
import { ForkedInformer } from "#runtime/forked-informer.ts";
import { ForeignObjects } from "./foreign-objects.ts";
import { PlannedRoom, type RoomTaken, takesRoom } from "./planned-room.ts";

/** What would become of one object in a member. */
export interface MemberDifference {
  readonly cluster: string;
  readonly resource: ResourceId;
  readonly before: ApiObject | undefined;
  readonly after: ApiObject | undefined;
}

const namespaceResource: ResourceId = {
  group: "",
  version: "v1",
  resource: "namespaces",
  kind: "Namespace",
  namespaced: false,
};

/** A member that takes writes without having them: what is there is read from it, what would be there is kept here. */
export class ForkedMember implements MemberView {
  readonly name: string;
  readonly connection: MemberView["connection"];
  readonly client: Client;
  readonly #origin: MemberView;
  readonly #forks = new Map<string, ForkedInformer<ApiObject>>();
  /** The same by what callers hold: they ask for very few, very often. */
  readonly #known = new Map<ResourceId, ForkedInformer<ApiObject>>();
  readonly #foreign: ForeignObjects;
  readonly #room = new PlannedRoom();

  constructor(origin: MemberView) {
    this.#origin = origin;
    this.name = origin.name;
    this.connection = origin.connection;
    this.#foreign = new ForeignObjects(origin.client);
    const unsupported = () => Promise.reject(new Error("cannot do this to a member in a plan"));
    this.client = {
      get: async (resource, key) => this.#get(resource, key),
      create: (resource, object) => this.#create(resource, object as ApiObject), // a whole manifest
      update: (resource, object) => this.#update(resource, object),
      delete: async (resource, key) => this.#delete(resource, key),
      updateStatus: unsupported,
      patch: unsupported,
      list: unsupported,
      watch: unsupported,
      post: unsupported,
    };
  }

  managed(resource: ResourceId): ForkedInformer<ApiObject> {
    const known = this.#known.get(resource);
    if (known !== undefined) return known;
    const name = `${resource.group}/${resource.version}/${resource.resource}`;
    const fork = this.#forks.get(name) ?? this.#fork(resource);
    this.#forks.set(name, fork);
    this.#known.set(resource, fork);
    return fork;
  }

  caches(): readonly ForkedInformer<ApiObject>[] {
    return this.#origin.caches().map(({ resource }) => this.managed(resource));
  }

  /** What its copies ask for, beside what they asked for when this was asked last. */
  takeRoom(): RoomTaken {
    return this.#room.take();
  }

  /** What happens in the member afterwards is nobody's decision, and not planned. */
  subscribe(): () => void {
    return () => {};
  }

  /** Everything that would come, change or go. */
  differences(): readonly MemberDifference[] {
    const differences: MemberDifference[] = [];
    const cluster = this.name;
    for (const fork of this.#forks.values()) {
      const { resource } = fork;
      fork.eachDifference((before, after) => differences.push({ cluster, resource, before, after }));
    }
    return differences;
  }

  close(): void {
    for (const fork of this.#forks.values()) fork.close();
  }

  #fork(resource: ResourceId): ForkedInformer<ApiObject> {
    const fork = new ForkedInformer(this.#origin.managed(resource));
    if (takesRoom(resource)) fork.subscribe((change) => this.#room.note(change));
    return fork;
  }

  #get(resource: ResourceId, key: ObjectKey): ApiObject | undefined | Promise<ApiObject | undefined> {
    const fork = this.managed(resource);
    const known = fork.get(key);
    return known !== undefined || fork.isWritten(key) ? known : this.#foreign.get(resource, key);
  }

  async #create(resource: ResourceId, object: ApiObject): Promise<ApiObject> {
    const { namespace, name } = object.metadata;
    if (namespace !== undefined) {
      const home = this.#get(namespaceResource, { name: namespace });
      if ((home instanceof Promise ? await home : home) === undefined)
        throw StatusError.notFound({ group: "", resource: "namespaces", name: namespace });
    }
    const present = this.#get(resource, keyOf(object));
    if ((present instanceof Promise ? await present : present) !== undefined)
      throw StatusError.alreadyExists({ group: resource.group, resource: resource.resource, name });
    return this.#put(resource, object);
  }

  async #update(resource: ResourceId, object: ApiObject): Promise<ApiObject> {
    const key = keyOf(object);
    const present = this.#get(resource, key);
    if ((present instanceof Promise ? await present : present) !== undefined) return this.#put(resource, object);
    throw StatusError.notFound({ group: resource.group, resource: resource.resource, name: key.name });
  }

  #put(resource: ResourceId, object: ApiObject): ApiObject {
    this.managed(resource).put(object);
    return object;
  }

  /** A namespace takes everything along that is in it, also what was to stay. */
  #empty(namespace: string): void {
    for (const cache of this.caches())
      for (const object of [...cache.all()]) if (object.metadata.namespace === namespace) cache.remove(object);
  }

  #delete(resource: ResourceId, key: ObjectKey): boolean {
    const known = this.managed(resource).get(key);
    if (known === undefined) return false;
    this.managed(resource).remove(known);
    if (resource.group === "" && resource.resource === "namespaces") this.#empty(key.name);
    return true;
  }
}
