import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Json, JsonObject } from "#base/json.ts";
import { queryParameters } from "./parameters.ts";
import { reference, type SchemaNames } from "./schema-names.ts";

/** What the operations of one resource have in common. */
export interface PathFacts {
  readonly resource: ResourceType;
  readonly names: SchemaNames;
  readonly tag: string;
  /** Group and version as operation ids spell them: `AppsV1`. */
  readonly group: string;
}

const unauthorized = { description: "Unauthorized" };

/** Operations on the collection; across all namespaces only the list exists. */
export function listOperations(facts: PathFacts, reach?: "all namespaces"): JsonObject {
  const { resource, names } = facts;
  const { verbs } = resource;
  const list = names.of({ ...resource, kind: resource.listKind });
  const operations: Record<string, Json> = {};
  if (verbs.includes("list")) {
    operations["get"] = operation(facts, {
      verb: "list",
      action: "list",
      description: "list or watch objects of kind",
      suffix: reach === undefined ? "" : "ForAllNamespaces",
      parameters: queryParameters.list,
      responses: { 200: answer(list, "OK") },
    });
  }
  if (reach !== undefined) return operations;
  if (verbs.includes("create")) {
    operations["post"] = operation(facts, {
      verb: "create",
      action: "post",
      description: "create a",
      parameters: queryParameters.write,
      body: anyContent(names.of(resource)),
      responses: { 200: answer(names.of(resource), "OK"), 201: answer(names.of(resource), "Created") },
    });
  }
  if (verbs.includes("deletecollection")) {
    operations["delete"] = operation(facts, {
      verb: "deleteCollection",
      action: "deletecollection",
      description: "delete a collection of",
      parameters: [...queryParameters.delete, ...queryParameters.list],
      body: anyContent(names.meta("DeleteOptions")),
      responses: { 200: answer(names.meta("Status"), "OK") },
    });
  }
  return operations;
}

/** Operations on one object or on one of its subresources. */
export function itemOperations(facts: PathFacts, subresource?: "status" | "scale"): JsonObject {
  const { resource, names } = facts;
  const verbs = subresource === undefined ? resource.verbs : ["get", "patch", "update"];
  const kind =
    subresource === "scale"
      ? { group: "autoscaling", version: "v1", kind: "Scale" }
      : { group: resource.group, version: resource.version, kind: resource.kind };
  const schema = names.of(kind);
  const part = subresource === undefined ? "" : ` ${subresource} of the`;
  const shared = {
    suffix: subresource === undefined ? "" : subresource[0]!.toUpperCase() + subresource.slice(1),
    kind,
  };
  const operations: Record<string, Json> = {};
  if (verbs.includes("get")) {
    operations["get"] = operation(facts, {
      ...shared,
      verb: "read",
      action: "get",
      description: `read${part} the specified`,
      responses: { 200: answer(schema, "OK") },
    });
  }
  if (verbs.includes("update")) {
    operations["put"] = operation(facts, {
      ...shared,
      verb: "replace",
      action: "put",
      description: `replace${part} the specified`,
      parameters: queryParameters.write,
      body: anyContent(schema),
      responses: { 200: answer(schema, "OK"), 201: answer(schema, "Created") },
    });
  }
  if (verbs.includes("patch")) operations["patch"] = patchOperation(facts, { ...shared, schema, part });
  if (verbs.includes("delete")) operations["delete"] = deleteOperation(facts, shared);
  return operations;
}

type KindMark = { readonly group: string; readonly version: string; readonly kind: string };

function patchOperation(
  facts: PathFacts,
  { schema, part, ...shared }: { suffix: string; kind: KindMark; schema: string; part: string },
): JsonObject {
  const patch = { schema: reference(facts.names.meta("Patch")) };
  const content: Record<string, Json> = {
    "application/apply-patch+yaml": patch,
    "application/json-patch+json": patch,
    "application/merge-patch+json": patch,
  };
  // kubectl falls back to a merge patch where this key is missing, as it must for custom resources.
  if (!facts.resource.custom) content["application/strategic-merge-patch+json"] = patch;
  return operation(facts, {
    ...shared,
    verb: "patch",
    action: "patch",
    description: `partially update${part} the specified`,
    parameters: queryParameters.patch,
    body: { required: true, content },
    responses: { 200: answer(schema, "OK"), 201: answer(schema, "Created") },
  });
}

function deleteOperation(facts: PathFacts, shared: { suffix: string; kind: KindMark }): JsonObject {
  const status = facts.names.meta("Status");
  return operation(facts, {
    ...shared,
    verb: "delete",
    action: "delete",
    description: "delete a",
    parameters: queryParameters.delete,
    body: anyContent(facts.names.meta("DeleteOptions")),
    responses: { 200: answer(status, "OK"), 202: answer(status, "Accepted") },
  });
}

interface OperationFacts {
  readonly verb: string;
  readonly action: string;
  readonly description: string;
  readonly suffix?: string;
  readonly kind?: KindMark;
  readonly parameters?: readonly JsonObject[];
  readonly body?: JsonObject;
  readonly responses: JsonObject;
}

function operation({ resource, tag, group }: PathFacts, facts: OperationFacts): JsonObject {
  const isAcross = facts.suffix === "ForAllNamespaces";
  const scope = resource.namespaced && !isAcross ? "Namespaced" : "";
  return {
    tags: [tag],
    description: `${facts.description} ${resource.kind}`,
    operationId: `${facts.verb}${group}${scope}${resource.kind}${facts.suffix ?? ""}`,
    ...(facts.parameters === undefined ? {} : { parameters: facts.parameters }),
    ...(facts.body === undefined ? {} : { requestBody: facts.body }),
    responses: { ...facts.responses, 401: unauthorized },
    "x-kubernetes-action": facts.action,
    "x-kubernetes-group-version-kind": {
      group: facts.kind?.group ?? resource.group,
      version: facts.kind?.version ?? resource.version,
      kind: facts.kind?.kind ?? resource.kind,
    },
  };
}

/** A response whose body a schema describes. */
export function answer(schema: string, description: string): JsonObject {
  return { description, content: { "application/json": { schema: reference(schema) } } };
}

function anyContent(schema: string): JsonObject {
  return { required: true, content: { "*/*": { schema: reference(schema) } } };
}
