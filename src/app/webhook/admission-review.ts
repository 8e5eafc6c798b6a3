import type { UserInfo } from "#api/meta/api-call.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { ReviewRequest } from "#apiserver/admission.ts";
import { isJsonObject, type Json, type JsonObject, member, stringifyJson } from "#base/json.ts";
import { diffJson } from "#base/patch/json-diff.ts";

/** A question of an API server, as its AdmissionReview (admission.k8s.io/v1) asks it. */
export interface Review {
  readonly uid: string;
  /** The object as it came; a mutating plug-in works on a copy. */
  readonly object: JsonObject | undefined;
  readonly request: Omit<ReviewRequest, "object" | "warn">;
}

const operations = ["CREATE", "UPDATE", "DELETE"] as const;

/** Reads a review; what is none is refused with 400. */
export function readReview(body: unknown): Review {
  const request = isJsonObject(body) ? member(body, "request") : undefined;
  if (!isJsonObject(body) || body["kind"] !== "AdmissionReview" || body["apiVersion"] !== "admission.k8s.io/v1")
    throw StatusError.badRequest("the body is no AdmissionReview of admission.k8s.io/v1");
  if (!isJsonObject(request)) throw StatusError.badRequest("the review has no request");
  const uid = textIn(request, "uid");
  const operation = operations.find((each) => each === request["operation"]);
  if (uid === undefined || operation === undefined)
    throw StatusError.badRequest("the review has no uid, or no operation that can be judged");
  const object = objectIn(request, "object");
  if (operation !== "DELETE" && object === undefined) throw StatusError.badRequest("the review has no object");
  return {
    uid,
    object: operation === "DELETE" ? undefined : object,
    request: {
      operation,
      type: typeIn(request),
      namespace: textIn(request, "namespace"),
      name: textIn(request, "name") ?? "",
      subresource: textIn(request, "subResource"),
      old: objectIn(request, "oldObject") as unknown as ApiObject | undefined, // what the server stores
      user: userIn(request),
      dryRun: request["dryRun"] === true,
      options: objectIn(request, "options") ?? {},
    },
  };
}

/** What is said to a review: yes, yes with changes, or no with the reason; and remarks in either case. */
export interface Verdict {
  readonly uid: string;
  readonly warnings: readonly string[];
  readonly refusal?: StatusError;
  readonly patch?: { readonly before: JsonObject; readonly after: Draft };
}

/** The answer to a review. */
export function reviewAnswer({ uid, warnings, refusal, patch }: Verdict): JsonObject {
  const operations = patch === undefined ? [] : diffJson(patch.before, patch.after as unknown as JsonObject); // a draft is JSON
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: {
      uid,
      allowed: refusal === undefined,
      ...(refusal !== undefined && { status: refusal.toStatus() as unknown as Json }), // JSON, too
      ...(operations.length > 0 && {
        patchType: "JSONPatch",
        patch: Buffer.from(stringifyJson(operations)).toString("base64"),
      }),
      ...(warnings.length > 0 && { warnings }),
    },
  };
}

function typeIn(request: JsonObject): ReviewRequest["type"] {
  const kind = objectIn(request, "kind") ?? {};
  const resource = objectIn(request, "resource") ?? {};
  return {
    group: textIn(kind, "group") ?? "",
    version: textIn(kind, "version") ?? "",
    kind: textIn(kind, "kind") ?? "",
    plural: textIn(resource, "resource") ?? "",
  };
}

function userIn(request: JsonObject): UserInfo {
  const user = objectIn(request, "userInfo") ?? {};
  const uid = textIn(user, "uid");
  const extra = objectIn(user, "extra");
  return {
    name: textIn(user, "username") ?? "",
    groups: textsIn(user["groups"]),
    ...(uid !== undefined && { uid }),
    ...(extra !== undefined && {
      extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, textsIn(values)])),
    }),
  };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

function objectIn(value: JsonObject, key: string): JsonObject | undefined {
  const found = member(value, key);
  return isJsonObject(found) ? found : undefined;
}

function textIn(value: JsonObject, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === "string" && found !== "" ? found : undefined;
}
