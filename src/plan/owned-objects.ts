import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ObjectKey, type ResourceId } from "#api/meta/resource-id.ts";
import type { ForkedCaches } from "./forked-caches.ts";

interface Owned {
  readonly resource: ResourceId;
  readonly key: ObjectKey;
}

/** Who goes when an owner has gone: what the garbage collector would find out. Looks at everything once, when somebody goes first. */
export class OwnedObjects {
  readonly #caches: ForkedCaches;
  /** By the uid of an owner. */
  #byOwner: Map<string, Owned[]> | undefined;
  readonly #gone = new Set<string>();

  constructor(caches: ForkedCaches) {
    this.#caches = caches;
  }

  /** An object was written. */
  note(resource: ResourceId, object: ApiObject): void {
    if (this.#byOwner !== undefined) add(this.#byOwner, resource, object);
  }

  /** The objects that lost their last owner with this one. */
  bereftBy(owner: ApiObject): readonly { readonly resource: ResourceId; readonly object: ApiObject }[] {
    this.#byOwner ??= this.#survey();
    this.#gone.add(owner.metadata.uid);
    const owned = this.#byOwner.get(owner.metadata.uid) ?? [];
    return owned.flatMap(({ resource, key }) => {
      const object = this.#caches.of(resource)?.get(key);
      const owners = object?.metadata.ownerReferences ?? [];
      const isBereft = owners.length > 0 && owners.every(({ uid }) => this.#gone.has(uid));
      return object !== undefined && isBereft ? [{ resource, object }] : [];
    });
  }

  #survey(): Map<string, Owned[]> {
    const byOwner = new Map<string, Owned[]>();
    for (const cache of this.#caches.all()) for (const object of cache.all()) add(byOwner, cache.resource, object);
    return byOwner;
  }
}

function add(byOwner: Map<string, Owned[]>, resource: ResourceId, object: ApiObject): void {
  for (const { uid } of object.metadata.ownerReferences ?? []) {
    const owned = byOwner.get(uid);
    if (owned === undefined) byOwner.set(uid, [{ resource, key: keyOf(object) }]);
    else owned.push({ resource, key: keyOf(object) });
  }
}
