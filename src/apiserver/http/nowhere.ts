import type { ApiCall } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { ApiServer } from "#apiserver/api-server.ts";
import { namedResource } from "#apiserver/core.ts";
import { isBuiltinGroup } from "#apiserver/registry.ts";

interface Asked {
  readonly path: ApiCall["path"];
  readonly verb: ApiCall["verb"];
  /** Whether its method means that verb. */
  readonly isKnown: boolean;
}

/** Of groups that are not built in nothing is known but what is defined, in its own scope. */
export function isNowhere(server: ApiServer, { path, verb, isKnown }: Asked): boolean {
  const { registry } = server.core;
  const type = registry.get(path.group, path.version, path.resource);
  if (type === undefined) return !isBuiltinGroup(registry, path.group);
  if (!type.custom) return false;
  if (path.namespace !== undefined) return !type.namespaced;
  return type.namespaced && !(isKnown && (verb === "list" || verb === "watch"));
}

/** Why a method that means no verb is refused there. */
export function unknownMethod(
  { core, special }: ApiServer,
  { path, rest }: { readonly path: ApiCall["path"]; readonly rest: readonly string[] },
): StatusError {
  const { group, version, resource, subresource, namespace, name } = path;
  const type = core.registry.get(group, version, resource);
  if (type === undefined) return StatusError.unknownResource();
  const { status, scale } = type.subresources;
  const isServed =
    subresource === undefined ||
    (subresource === "status" && status !== undefined) ||
    (subresource === "scale" && scale !== undefined) ||
    special.has(`${group}/${resource}/${subresource}`);
  if (type.custom)
    return isServed
      ? StatusError.verbNotSupported(namedResource(type), "")
      : StatusError.notFound(namedResource(type, name));
  const isPlaced = type.namespaced ? namespace !== undefined || name === undefined : namespace === undefined;
  return isPlaced && isServed && rest.length === 0 ? StatusError.methodNotAllowed() : StatusError.unknownResource();
}
