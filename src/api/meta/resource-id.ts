import type { ApiObject } from "./object-meta.ts";

/** Where a kind is served: enough to address its objects. */
export interface ResourceId {
  readonly group: string;
  readonly version: string;
  /** The plural name in paths. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** One object's address. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

export function keyOf({ metadata }: Pick<ApiObject, "metadata">): ObjectKey {
  const { name, namespace } = metadata;
  return namespace === undefined ? { name } : { namespace, name };
}

/** `namespace/name`, or `name` for cluster-scoped objects. */
export function printKey({ namespace, name }: ObjectKey): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
