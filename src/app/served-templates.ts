import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Registry } from "#apiserver/registry.ts";

/** What a control plane serves that can be kept and watched, each resource once, in the version that discovery prefers. */
export function servedTemplates(registry: Registry): {
  readonly resources: () => readonly ResourceId[];
  readonly subscribe: (listener: () => void) => () => void;
} {
  return {
    resources() {
      const preferred = new Map<string, ResourceId>();
      for (const { group, version, plural, kind, namespaced, verbs } of registry.all()) {
        const name = `${group}/${plural}`;
        if (preferred.has(name) || !["list", "watch", "delete"].every((verb) => verbs.includes(verb))) continue;
        preferred.set(name, { group, version, resource: plural, kind, namespaced });
      }
      return [...preferred.values()];
    },
    subscribe: (listener) => registry.subscribe(listener),
  };
}
