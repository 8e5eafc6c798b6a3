import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Json, JsonObject } from "#base/json.ts";
import { type OpenApiRequest, openApiKey } from "./open-api-request.ts";
import { answer, itemOperations, listOperations, type PathFacts } from "./operations.ts";
import { pathParameters } from "./parameters.ts";
import type { SchemaNames } from "./schema-names.ts";

/** Verbs on one object; a review kind has only `create`. */
const itemVerbs = new Set(["get", "update", "patch", "delete"]);

/** Every path of the group version with its operations. */
export function renderPaths(request: OpenApiRequest, names: SchemaNames): JsonObject {
  const base = `/${openApiKey(request)}`;
  const paths: Record<string, Json> = {
    [`${base}/`]: {
      get: {
        tags: [tagOf(request)],
        description: "get available resources",
        operationId: `get${camelGroup(request.group)}${capital(request.version)}APIResources`,
        responses: { 200: answer(names.meta("APIResourceList"), "OK"), 401: { description: "Unauthorized" } },
      },
    },
  };
  for (const resource of request.resources) Object.assign(paths, resourcePaths(resource, { base, names }));
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function resourcePaths(resource: ResourceType, { base, names }: { base: string; names: SchemaNames }): JsonObject {
  const collection = resource.namespaced
    ? `${base}/namespaces/{namespace}/${resource.plural}`
    : `${base}/${resource.plural}`;
  const facts: PathFacts = {
    resource,
    names,
    tag: tagOf(resource),
    group: camelGroup(resource.group) + capital(resource.version),
  };
  const where = { namespaced: resource.namespaced, kind: resource.kind };
  const paths: Record<string, Json> = {
    [collection]: { ...listOperations(facts), parameters: pathParameters({ ...where, named: false }) },
  };
  if (resource.verbs.some((verb) => itemVerbs.has(verb))) {
    paths[`${collection}/{name}`] = { ...itemOperations(facts), parameters: pathParameters({ ...where, named: true }) };
  }
  if (resource.namespaced && resource.verbs.includes("list")) {
    paths[`${base}/${resource.plural}`] = {
      ...listOperations(facts, "all namespaces"),
      parameters: pathParameters({ namespaced: false, kind: resource.kind, named: false }),
    };
  }
  for (const subresource of ["status", "scale"] as const) {
    if (resource.subresources[subresource] === undefined) continue;
    paths[`${collection}/{name}/${subresource}`] = {
      ...itemOperations(facts, subresource),
      parameters: pathParameters({ ...where, named: true }),
    };
  }
  return paths;
}

function tagOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return `${group === "" ? "core" : (group.split(".")[0] ?? group)}_${version}`;
}

/** `rbac.authorization.k8s.io` as `RbacAuthorization`, as operation ids spell groups. */
function camelGroup(group: string): string {
  if (group === "") return "Core";
  return group
    .replace(/\.k8s\.io$/, "")
    .split(/[.-]/)
    .map(capital)
    .join("");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
