import type { Fields } from "#api/meta/object-meta.ts";

/** All containers of a pod with the paths at which they stand, in the order in which Kubernetes visits them. */
export function containersOf(spec: Fields, path: string): readonly { container: Fields; at: string }[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    (spec[list] ?? []).map((container: Fields, index: number) => ({ container, at: `${path}.${list}[${index}]` })),
  );
}
