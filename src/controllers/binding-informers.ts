import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Informer } from "#runtime/informer.ts";

/** `namespace/name`, or `/name` for a cluster-scoped binding: how queues name bindings of both scopes. */
export function bindingKey({ metadata }: Pick<ApiObject, "metadata">): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

/** The binding behind a key, from the informers of both scopes. */
export function bindingAt(informers: readonly Informer<ApiObject>[], key: string): Binding | undefined {
  const [namespace, name] = key.split("/") as [string, string];
  const informer = informers.find(({ resource }) => resource.namespaced === (namespace !== ""));
  return informer?.get(namespace === "" ? { name } : { namespace, name }) as unknown as Binding | undefined; // the informer's kind
}
