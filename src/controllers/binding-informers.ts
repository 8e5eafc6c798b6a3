import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Informer } from "#runtime/informer.ts";

/** `namespace/name`, or `/name` for a cluster-scoped binding: how queues name bindings of both scopes. */
export function bindingKey({ metadata }: Pick<ApiObject, "metadata">): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

/** The binding behind a key, from the informers of both scopes. */
export function bindingAt(informers: readonly Informer<ApiObject>[], key: string): Binding | undefined {
  const isNamespaced = !key.startsWith("/");
  const informer = informers.find(({ resource }) => resource.namespaced === isNamespaced);
  return informer?.at(isNamespaced ? key : key.slice(1)) as unknown as Binding | undefined; // the informer's kind
}
