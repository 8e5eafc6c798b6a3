import type { Json, JsonObject } from "#base/json.ts";

/** Query parameters of an operation, by the name of a set. */
export const queryParameters = {
  write: [dryRun(), fieldManager(), fieldValidation()],
  patch: [
    dryRun(),
    fieldManager(),
    fieldValidation(),
    query("force", "boolean", "Take over fields that other managers own. Only for apply patches."),
  ],
  delete: [
    dryRun(),
    query("gracePeriodSeconds", "integer", "Seconds before the object is deleted; zero deletes it at once."),
    query("orphanDependents", "boolean", "Deprecated: use propagationPolicy. Whether dependents stay."),
    query("propagationPolicy", "string", "What happens to dependents: Orphan, Background or Foreground."),
  ],
  list: [
    query("allowWatchBookmarks", "boolean", "Ask for BOOKMARK events in a watch."),
    query("continue", "string", "Where to go on: the token of an earlier, limited list."),
    query("fieldSelector", "string", "Only objects with these field values. Default: everything."),
    query("labelSelector", "string", "Only objects with these labels. Default: everything."),
    query("limit", "integer", "At most this many objects in one answer."),
    query("resourceVersion", "string", "Constrains which resource versions an answer may be served from."),
    query("resourceVersionMatch", "string", "How resourceVersion constrains a list: Exact or NotOlderThan."),
    query("sendInitialEvents", "boolean", "Begin a watch with events for the objects that exist."),
    query("timeoutSeconds", "integer", "How long a list or watch may take, whatever happens."),
    query("watch", "boolean", "Watch for changes instead of listing."),
  ],
} as const satisfies Record<string, readonly JsonObject[]>;

/** What a path itself asks for, and `pretty`. */
export function pathParameters(path: { namespaced: boolean; named: boolean; kind: string }): readonly Json[] {
  const parameters: Json[] = [];
  if (path.named) parameters.push(inPath("name", `name of the ${path.kind}`));
  if (path.namespaced)
    parameters.push(inPath("namespace", "object name and auth scope, such as for teams and projects"));
  parameters.push(query("pretty", "string", "If 'true', the output is printed with indentation."));
  return parameters;
}

function dryRun(): JsonObject {
  return query("dryRun", "string", "All: go through every stage of the request but store nothing.");
}

function fieldManager(): JsonObject {
  return query("fieldManager", "string", "Who makes these changes. Required for apply patches.");
}

function fieldValidation(): JsonObject {
  return query("fieldValidation", "string", "What to do about unknown and duplicate fields: Ignore, Warn or Strict.");
}

function query(name: string, type: "string" | "boolean" | "integer", description: string): JsonObject {
  return { name, in: "query", description, schema: { type, uniqueItems: true } };
}

function inPath(name: string, description: string): JsonObject {
  return { name, in: "path", description, required: true, schema: { type: "string", uniqueItems: true } };
}
