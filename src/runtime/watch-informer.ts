import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Watch } from "./controller.ts";
import type { Change, Informer } from "./informer.ts";

/** A watch that turns every change of a resource into the keys it concerns. */
export function watchInformer<T extends ApiObject>(
  informer: Informer<T>,
  keysOf: (change: Change<T>) => readonly string[],
): Watch {
  return (enqueue) =>
    informer.subscribe((change) => {
      for (const key of keysOf(change)) enqueue(key, change.initial ? "background" : "user");
    });
}
