import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { type Difference, ForkedInformer } from "#runtime/forked-informer.ts";
import type { Informer } from "#runtime/informer.ts";

/** What became of one object of the control plane. */
export interface ObjectDifference extends Difference<ApiObject> {
  readonly resource: ResourceId;
}

/** The forks of all caches, by resource: some resources are in more than one. */
export class ForkedCaches {
  readonly #forks = new Map<Informer<ApiObject>, ForkedInformer<ApiObject>>();
  readonly #byResource = new Map<string, ForkedInformer<ApiObject>[]>();
  /** The same by what callers hold: they ask for very few, very often. */
  readonly #known = new Map<object, readonly ForkedInformer<ApiObject>[]>();

  /** The fork of a cache; always the same one. */
  forkOf(origin: Informer<ApiObject>): ForkedInformer<ApiObject> {
    const known = this.#forks.get(origin);
    if (known !== undefined) return known;
    const fork = new ForkedInformer(origin);
    this.#forks.set(origin, fork);
    this.#known.clear();
    const name = nameOf(origin.resource);
    this.#byResource.set(name, [...(this.#byResource.get(name) ?? []), fork]);
    return fork;
  }

  /** One of those that hold a resource; undefined when nobody follows it. */
  of(resource: Pick<ResourceId, "group" | "resource">): ForkedInformer<ApiObject> | undefined {
    return this.#holding(resource)[0];
  }

  /** One for each resource. */
  all(): readonly ForkedInformer<ApiObject>[] {
    return [...this.#byResource.values()].map(([first]) => first!);
  }

  put(resource: ResourceId, object: ApiObject): void {
    for (const fork of this.#holding(resource)) fork.put(object);
  }

  remove(resource: ResourceId, object: ApiObject): void {
    for (const fork of this.#holding(resource)) fork.remove(object);
  }

  /** Everything that was written, as it was and as it is. */
  differences(): readonly ObjectDifference[] {
    const differences: ObjectDifference[] = [];
    for (const fork of this.all()) {
      const { resource } = fork;
      fork.eachDifference((before, after) => differences.push({ resource, before, after }));
    }
    return differences;
  }

  close(): void {
    for (const fork of this.#forks.values()) fork.close();
  }

  #holding(resource: Pick<ResourceId, "group" | "resource">): readonly ForkedInformer<ApiObject>[] {
    const known = this.#known.get(resource);
    if (known !== undefined) return known;
    const found = this.#byResource.get(nameOf(resource)) ?? [];
    this.#known.set(resource, found);
    return found;
  }
}

function nameOf({ group, resource }: Pick<ResourceId, "group" | "resource">): string {
  return `${group}/${resource}`;
}
