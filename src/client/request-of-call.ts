import type { ApiCall, CallOptions, PatchType, ResourcePath, Verb } from "#api/meta/api-call.ts";
import { stringifyJson } from "#base/json.ts";

/** A call as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query, below the server's address. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  /** How long its answer may take to begin, where that is known; else what the wire allows any. */
  readonly answerMs?: number;
}

/** The request that makes a call. The caller's identity is not in it: over the wire that is a matter of credentials. */
export function requestOfCall(call: ApiCall): WireRequest {
  const { verb, body, options } = call;
  const head = { method: methods[verb], path: `${pathOf(call.path)}${queryOf(call)}` };
  switch (verb) {
    case "create":
      return {
        ...head,
        contentType: "application/json",
        body: stringifyJson(body),
        ...(options.timeoutSeconds !== undefined && { answerMs: options.timeoutSeconds * 1_000 }),
      };
    case "update":
      return { ...head, contentType: "application/json", body: stringifyJson(body) };
    case "patch":
      return { ...head, contentType: patchTypes[call.patchType ?? "merge"], body: stringifyJson(body) };
    case "delete":
    case "deletecollection": {
      const deletion = { kind: "DeleteOptions", apiVersion: "v1", ...options.deletion };
      return { ...head, contentType: "application/json", body: stringifyJson(deletion) };
    }
    default:
      return head;
  }
}

const methods: Readonly<Record<Verb, string>> = {
  get: "GET",
  list: "GET",
  watch: "GET",
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETE",
};

const patchTypes: Readonly<Record<PatchType, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

function pathOf({ group, version, namespace, resource, name, subresource }: ResourcePath): string {
  const parts = [
    ...(group === "" ? ["api", version] : ["apis", group, version]),
    ...(namespace === undefined ? [] : ["namespaces", namespace]),
    resource,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${parts.map(segment).join("/")}`;
}

/** Dots would climb out of the path, whatever the escaping. */
function segment(text: string): string {
  if (text === "" || text === "." || text === "..")
    throw new Error(`cannot ask for a path with ${JSON.stringify(text)} in it`);
  return encodeURIComponent(text);
}

const passed = [
  "labelSelector",
  "fieldSelector",
  "limit",
  "continue",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "allowWatchBookmarks",
  "timeoutSeconds",
  "fieldManager",
  "fieldValidation",
  "force",
] as const satisfies readonly (keyof CallOptions)[];

function queryOf({ verb, options }: ApiCall): string {
  const query = new URLSearchParams();
  if (verb === "watch") query.set("watch", "true");
  for (const name of passed) {
    const value = options[name];
    if (value !== undefined) query.set(name, String(value));
  }
  if (options.dryRun === true) query.set("dryRun", "All");
  return query.size === 0 ? "" : `?${query}`;
}
