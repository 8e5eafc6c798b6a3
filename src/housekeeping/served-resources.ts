import type { ResourceId } from "#api/meta/resource-id.ts";

/** What a cluster serves now: everything that can be listed, watched and deleted, in every version. */
export interface ResourceCatalog {
  resources(): readonly ResourceId[];
  /** Calls back after every change; returns the function that ends it. */
  subscribe(listener: () => void): () => void;
}

interface Derived {
  readonly stored: readonly ResourceId[];
  readonly byKind: ReadonlyMap<string, ResourceId>;
  readonly byName: ReadonlyMap<string, ResourceId>;
}

/** The served resources by the names that objects have for them; derived once for each change. */
export class ServedResources {
  readonly #catalog: ResourceCatalog;
  #derived: Derived | undefined;

  constructor(catalog: ResourceCatalog) {
    this.#catalog = catalog;
  }

  /** One entry for every group and plural name, whatever versions it is served in: the same objects. */
  stored(): readonly ResourceId[] {
    return this.#current().stored;
  }

  namespaced(): readonly ResourceId[] {
    return this.stored().filter(({ namespaced }) => namespaced);
  }

  ofKind(apiVersion: string, kind: string): ResourceId | undefined {
    return this.#current().byKind.get(`${apiVersion}/${kind}`);
  }

  named(group: string, resource: string): ResourceId | undefined {
    return this.#current().byName.get(`${group}/${resource}`);
  }

  subscribe(listener: () => void): () => void {
    return this.#catalog.subscribe(() => {
      this.#derived = undefined;
      listener();
    });
  }

  #current(): Derived {
    this.#derived ??= derive(this.#catalog.resources());
    return this.#derived;
  }
}

function derive(resources: readonly ResourceId[]): Derived {
  const byName = new Map<string, ResourceId>();
  for (const id of resources) {
    const name = `${id.group}/${id.resource}`;
    if (!byName.has(name)) byName.set(name, id);
  }
  const byKind = new Map(resources.map((id) => [`${apiVersionOf(id)}/${id.kind}`, id]));
  return { stored: [...byName.values()], byKind, byName };
}

function apiVersionOf({ group, version }: ResourceId): string {
  return group === "" ? version : `${group}/${version}`;
}
