import { type LabelSelector, selectsLabels } from "#api/meta/label-selector.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { keyOf, printKey, type ResourceId } from "#api/meta/resource-id.ts";
import type { Watch } from "#runtime/controller.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import type { Cache } from "./caches.ts";
import { controllerOf, type SimulatedObject } from "./simulated-object.ts";

/** Every object of a kind, as its own key. */
export function watchOwn(cache: Cache): Watch {
  return watchInformer(cache, ({ after }) => (after === undefined ? [] : [printKey(keyOf(after))]));
}

/** Objects that a controller of this kind owns, as the key of their owner; also the one it just lost. */
export function watchOwned(cache: Cache, owner: ResourceId): Watch {
  const keys = (object: SimulatedObject | undefined): readonly string[] => {
    const controller = object === undefined ? undefined : controllerOf(object);
    if (controller?.kind !== owner.kind) return [];
    return [printKey({ namespace: object?.metadata.namespace ?? "", name: controller.name })];
  };
  return watchInformer(cache, ({ before, after }) => [...new Set([...keys(before), ...keys(after)])]);
}

/** Objects without a controller, as the keys of those in their namespace that select them. */
export function watchOrphans(
  cache: Cache,
  owners: Cache,
  selectorOf: (spec: Fields) => LabelSelector | undefined,
): Watch {
  return watchInformer(cache, ({ after }) => {
    if (after === undefined || controllerOf(after) !== undefined) return [];
    const { labels, namespace = "" } = after.metadata;
    return owners
      .byIndex("namespace", namespace)
      .filter(({ spec }) => selectsLabels(selectorOf(spec), labels))
      .map((owner) => printKey(keyOf(owner)));
  });
}
