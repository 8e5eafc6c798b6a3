import { Clusters } from "#api/cluster/cluster.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ObjectKey, type ResourceId } from "#api/meta/resource-id.ts";
import { bindingNameOf, workNameOf } from "#api/work/derived-names.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import type { ForkedCaches } from "./forked-caches.ts";

interface Owned {
  readonly resource: ResourceId;
  readonly key: ObjectKey;
}

const works = resourceOf(Works);
/** There may be very many of these, and where they are follows from the names of their owners. */
const derived: ReadonlySet<string> = new Set([
  Works.kind,
  ResourceBindings.namespaced.kind,
  ResourceBindings.cluster.kind,
]);

/** Who goes when an owner has gone: what the garbage collector would find out. */
export class OwnedObjects {
  readonly #caches: ForkedCaches;
  /** What users made and gave an owner, by the uid of the owner; looked for when somebody goes first. */
  #byOwner: Map<string, Owned[]> | undefined;
  readonly #gone = new Set<string>();

  constructor(caches: ForkedCaches) {
    this.#caches = caches;
  }

  /** An object was written. */
  note(resource: ResourceId, object: ApiObject): void {
    if (this.#byOwner !== undefined && !derived.has(object.kind)) add(this.#byOwner, resource, object);
  }

  /** The objects that lost their last owner with this one. */
  bereftBy(owner: ApiObject): readonly { readonly resource: ResourceId; readonly object: ApiObject }[] {
    if (derived.has(owner.kind)) return [];
    this.#byOwner ??= this.#survey();
    this.#gone.add(owner.metadata.uid);
    const owned = [...(this.#byOwner.get(owner.metadata.uid) ?? []), ...this.#derivedFrom(owner)];
    return owned.flatMap(({ resource, key }) => {
      const object = this.#caches.of(resource)?.get(key);
      const owners = object?.metadata.ownerReferences ?? [];
      const isBereft = owners.length > 0 && owners.every(({ uid }) => this.#gone.has(uid));
      return object !== undefined && isBereft ? [{ resource, object }] : [];
    });
  }

  /** The binding of a template, and the works of a namespace. */
  #derivedFrom({ kind, metadata }: ApiObject): readonly Owned[] {
    const { namespace, name } = metadata;
    const binding = { name: bindingNameOf({ kind, name }) };
    const own = {
      resource: resourceOf(ResourceBindings.kindFor(namespace)),
      key: namespace === undefined ? binding : { namespace, ...binding },
    };
    if (kind !== "Namespace") return [own];
    const clusters = [...(this.#caches.of(resourceOf(Clusters))?.all() ?? [])];
    const homes = clusters.map((cluster) => executionNamespaceOf(cluster.metadata.name));
    return [
      own,
      ...homes.map((home) => ({ resource: works, key: { namespace: home, name: workNameOf({ kind, name }) } })),
    ];
  }

  #survey(): Map<string, Owned[]> {
    const byOwner = new Map<string, Owned[]>();
    for (const cache of this.#caches.all()) {
      if (derived.has(cache.resource.kind)) continue;
      for (const object of cache.all()) add(byOwner, cache.resource, object);
    }
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
