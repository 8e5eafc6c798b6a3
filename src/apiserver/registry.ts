import type { ResourceType } from "#api/meta/resource-type.ts";

/** Every resource that is served now. CustomResourceDefinitions add and remove entries while the server runs. */
export class Registry {
  readonly #byPath = new Map<string, ResourceType>();
  /** The same, found without making a path of it: every call asks. */
  readonly #byPlural = new Map<string, ResourceType[]>();
  readonly #listeners = new Set<() => void>();
  #version = 0;

  constructor(resources: readonly ResourceType[]) {
    this.#add(resources);
  }

  /** Counts changes: what is derived from the registry is fresh while this stays the same. */
  get version(): number {
    return this.#version;
  }

  get(group: string, version: string, plural: string): ResourceType | undefined {
    for (const type of this.#byPlural.get(plural) ?? [])
      if (type.group === group && type.version === version) return type;
    return undefined;
  }

  ofKind(apiVersion: string, kind: string): ResourceType | undefined {
    return this.all().find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
  }

  /** In registration order; several versions of one resource follow each other. */
  all(): readonly ResourceType[] {
    return [...this.#byPath.values()];
  }

  /** One entry per storage: what a walk over all stored objects must visit. */
  allStored(): readonly ResourceType[] {
    return [...new Map(this.all().map((type) => [storagePrefixOf(type), type])).values()];
  }

  /** Replaces all entries of one group and plural name; an empty list takes them out. */
  replace(group: string, plural: string, types: readonly ResourceType[]): void {
    for (const [path, type] of this.#byPath) {
      if (type.group === group && type.plural === plural) this.#byPath.delete(path);
    }
    const others = this.#byPlural.get(plural)?.filter((type) => type.group !== group) ?? [];
    if (others.length > 0) this.#byPlural.set(plural, others);
    else this.#byPlural.delete(plural); // names that definitions had once are not kept
    this.#add(types);
    this.#version++;
    for (const listener of this.#listeners) listener();
  }

  #add(types: readonly ResourceType[]): void {
    for (const type of types) {
      this.#byPath.set(pathOf(type.group, type.version, type.plural), type);
      const peers = this.#byPlural.get(type.plural);
      if (peers === undefined) this.#byPlural.set(type.plural, [type]);
      else peers.push(type);
    }
  }

  /** Calls back after every change; returns the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? version : `${group}/${version}`;
}

export function storagePrefixOf(type: ResourceType): string {
  return type.storagePrefix ?? `${type.group}/${type.plural}`;
}

/** The store's key of one object. */
export function storageKey(type: ResourceType, namespace: string | undefined, name: string): string {
  return type.namespaced ? `${storagePrefixOf(type)}/${namespace ?? ""}/${name}` : `${storagePrefixOf(type)}/${name}`;
}

/** The key prefix of a list: one namespace, or all. */
export function listPrefix(type: ResourceType, namespace: string | undefined): string {
  return type.namespaced && namespace !== undefined
    ? `${storagePrefixOf(type)}/${namespace}/`
    : `${storagePrefixOf(type)}/`;
}

function pathOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}

/** Whether a group is Kubernetes' own. */
export function isBuiltinGroup(registry: Registry, group: string): boolean {
  return registry.all().some((type) => !type.custom && type.group === group);
}
