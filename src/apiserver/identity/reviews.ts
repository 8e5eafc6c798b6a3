import type { ApiCall, UserInfo } from "#api/meta/api-call.ts";
import type { Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { trackUpdate } from "#apiserver/apply/track-update.ts";
import { apiVersionOf, type Registry } from "#apiserver/registry.ts";
import { decodeObject } from "#apiserver/write/decode-object.ts";
import { managerOf } from "#apiserver/write/write-request.ts";
import { formatTime } from "#base/clock.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import type { Authenticator } from "./authenticate.ts";
import type { Authorizer } from "./authorize.ts";
import type { Attributes, PolicyRule } from "./policy-rules.ts";
import { issuer } from "./service-account-tokens.ts";

export interface ReviewNeeds {
  readonly authorizer: Authorizer;
  readonly authenticator: Authenticator;
  readonly registry: Registry;
  readonly nowMs: () => number;
}

type Review = (needs: ReviewNeeds, call: ApiCall, spec: JsonObject) => JsonObject;

/** The kinds that are questions: nothing is stored, the answer is the posted object with its status filled in. */
const reviews: Readonly<Record<string, Review>> = {
  "authorization.k8s.io/selfsubjectaccessreviews": ({ authorizer }, { user }, spec) =>
    accessStatus(authorizer, user, spec),
  "authorization.k8s.io/subjectaccessreviews": ({ authorizer }, _, spec) =>
    accessStatus(authorizer, subjectOf(spec), spec),
  "authorization.k8s.io/localsubjectaccessreviews": localReview,
  "authorization.k8s.io/selfsubjectrulesreviews": rulesReview,
  "authentication.k8s.io/tokenreviews": tokenReview,
  "authentication.k8s.io/selfsubjectreviews": (_, { user }) => ({ userInfo: userJson(user) }),
};

/** The answer to a review, or undefined when the resource is no review. */
export function answerReview(needs: ReviewNeeds, type: ResourceType, call: ApiCall): JsonObject | undefined {
  const { group, resource } = call.path;
  const name = `${group}/${resource}`;
  const review = Object.hasOwn(reviews, name) ? reviews[name] : undefined;
  if (review === undefined) return undefined;
  if (call.verb !== "create") throw StatusError.methodNotAllowed();
  const { draft } = decodeObject(type, call, needs.registry);
  const { kind, apiVersion } = draft;
  const spec = isJsonObject(draft["spec"]) ? draft["spec"] : {};
  const status = review(needs, call, spec);
  if (resource === "selfsubjectreviews")
    return { kind, apiVersion, metadata: { creationTimestamp: formatTime(needs.nowMs()) }, status };
  const { metadata } = withManager(needs, type, call, { kind, apiVersion, metadata: {}, spec });
  return { kind, apiVersion, metadata: metadata as JsonObject, spec, status }; // managed fields alone, which are JSON
}

/** Nothing is kept, and yet clients are told who asked what. */
function withManager({ nowMs }: ReviewNeeds, type: ResourceType, call: ApiCall, next: Draft): Draft {
  return trackUpdate({
    schema: type.schema,
    old: undefined,
    next,
    manager: managerOf(call),
    ...(type.zero === undefined ? {} : { zero: type.zero }),
    time: formatTime(nowMs()),
    apiVersion: apiVersionOf(type),
  });
}

function accessStatus(authorizer: Authorizer, user: UserInfo, spec: JsonObject): JsonObject {
  const attributes = attributesOf(spec);
  if (attributes === undefined) {
    throw StatusError.invalid({ group: "authorization.k8s.io", resource: "SelfSubjectAccessReview" }, [
      {
        path: "spec.resourceAttributes",
        type: "invalid",
        value: null,
        detail: "exactly one of nonResourceAttributes or resourceAttributes must be specified",
      },
    ]);
  }
  return { allowed: authorizer.allows(user, attributes) };
}

function localReview({ authorizer }: ReviewNeeds, { path }: ApiCall, spec: JsonObject): JsonObject {
  const attributes = isJsonObject(spec["resourceAttributes"]) ? spec["resourceAttributes"] : {};
  if (attributes["namespace"] !== path.namespace) {
    throw StatusError.invalid({ group: "authorization.k8s.io", resource: "LocalSubjectAccessReview" }, [
      {
        path: "spec.resourceAttributes.namespace",
        type: "invalid",
        value: attributes["namespace"],
        detail: "must match metadata.namespace",
      },
    ]);
  }
  return accessStatus(authorizer, subjectOf(spec), spec);
}

function rulesReview({ authorizer }: ReviewNeeds, { user }: ApiCall, spec: JsonObject): JsonObject {
  const namespace = text(spec["namespace"]);
  const rules = authorizer.rulesFor(user, namespace === "" ? undefined : namespace);
  return {
    resourceRules: rules.filter((rule) => rule.resources !== undefined).map(resourceRule),
    nonResourceRules: rules
      .filter((rule) => rule.nonResourceURLs !== undefined)
      .map(({ verbs = [], nonResourceURLs = [] }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
  };
}

function resourceRule({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }: PolicyRule): JsonObject {
  return { verbs, apiGroups, resources, ...(resourceNames.length === 0 ? {} : { resourceNames }) };
}

function tokenReview({ authenticator }: ReviewNeeds, _: ApiCall, spec: JsonObject): JsonObject {
  const user = authenticator.ofToken(text(spec["token"]));
  if (user === undefined) return { user: {}, error: "the token is not valid" };
  return { authenticated: true, user: userJson(user), audiences: [issuer] };
}

function subjectOf(spec: JsonObject): UserInfo {
  const groups = Array.isArray(spec["groups"]) ? spec["groups"].map(String) : [];
  return { name: text(spec["user"]), groups };
}

function attributesOf(spec: JsonObject): Attributes | undefined {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (isJsonObject(resource)) {
    return {
      verb: text(resource["verb"]),
      group: text(resource["group"]),
      resource: text(resource["resource"]),
      subresource: text(resource["subresource"]) || undefined,
      namespace: text(resource["namespace"]) || undefined,
      name: text(resource["name"]) || undefined,
    };
  }
  return isJsonObject(path) ? { verb: text(path["verb"]), path: text(path["path"]) } : undefined;
}

function userJson({ name, uid, groups, extra }: UserInfo): JsonObject {
  return { username: name, ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
