import type { ApiCall, UserInfo } from "#api/meta/api-call.ts";
import type { Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { trackUpdate } from "#apiserver/apply/track-update.ts";
import { apiVersionOf, type Registry } from "#apiserver/registry.ts";
import { namespaceMismatch } from "#apiserver/write/create.ts";
import { decodeObject } from "#apiserver/write/decode-object.ts";
import { managerOf } from "#apiserver/write/write-request.ts";
import { formatTime } from "#base/clock.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import type { Authenticator } from "./authenticate.ts";
import type { Authorizer } from "./authorize.ts";
import type { Attributes, PolicyRule } from "./policy-rules.ts";
import { accessReviewErrors, type ReviewTraits } from "./review-rules.ts";
import { issuer } from "./service-account-tokens.ts";

export interface ReviewNeeds {
  readonly authorizer: Authorizer;
  readonly authenticator: Authenticator;
  readonly registry: Registry;
  readonly nowMs: () => number;
}

type Review = (needs: ReviewNeeds, call: ApiCall, spec: JsonObject) => JsonObject;

const traits: Readonly<Record<string, Pick<ReviewTraits, "namesSubject">>> = {
  selfsubjectaccessreviews: { namesSubject: false },
  subjectaccessreviews: { namesSubject: true },
  localsubjectaccessreviews: { namesSubject: true },
};

/** The kinds that are questions: nothing is stored, the answer is the posted object with its status filled in. */
const reviews: Readonly<Record<string, Review>> = {
  "authorization.k8s.io/selfsubjectaccessreviews": ({ authorizer }, { user }, spec) =>
    accessStatus(authorizer, user, spec),
  "authorization.k8s.io/subjectaccessreviews": ({ authorizer }, _, spec) =>
    accessStatus(authorizer, subjectOf(spec), spec),
  "authorization.k8s.io/localsubjectaccessreviews": ({ authorizer }, _, spec) =>
    accessStatus(authorizer, subjectOf(spec), spec),
  "authorization.k8s.io/selfsubjectrulesreviews": rulesReview,
  "authentication.k8s.io/tokenreviews": tokenReview,
  "authentication.k8s.io/selfsubjectreviews": (_, { user }) => ({ userInfo: userJson(user) }),
};

const reviewGroups: ReadonlySet<string> = new Set(Object.keys(reviews).map((name) => name.slice(0, name.indexOf("/"))));

/** The answer to a review, or undefined when the resource is no review. */
export function answerReview(needs: ReviewNeeds, type: ResourceType, call: ApiCall): JsonObject | undefined {
  const { group, resource } = call.path;
  if (!reviewGroups.has(group)) return undefined;
  const name = `${group}/${resource}`;
  const review = Object.hasOwn(reviews, name) ? reviews[name] : undefined;
  if (review === undefined) return undefined;
  if (call.verb !== "create") throw StatusError.methodNotAllowed();
  const { draft, warnings } = decodeObject(type, call, needs);
  call.remarks?.push(...warnings);
  const { kind, apiVersion } = draft;
  const spec = isJsonObject(draft["spec"]) ? draft["spec"] : {};
  expectAccessReview(needs, type, call, draft);
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

/** Throws where a question about access is none; Kubernetes names no kind then. */
function expectAccessReview(needs: ReviewNeeds, type: ResourceType, call: ApiCall, draft: Draft): void {
  const { resource, namespace } = call.path;
  const known = traits[resource];
  if (known === undefined) return;
  const { metadata } = draft;
  if (type.namespaced && metadata.namespace && metadata.namespace !== namespace) throw namespaceMismatch();
  const within = type.namespaced ? { within: namespace ?? "" } : {};
  const placed = type.namespaced ? { ...metadata, ...(namespace === undefined ? {} : { namespace }) } : { ...metadata };
  if (!type.namespaced) delete placed.namespace;
  const asked = withManager(needs, type, call, { ...draft, metadata: placed });
  const errors = accessReviewErrors(asked, { ...known, ...within });
  if (errors.length > 0) throw StatusError.invalid({ group: type.group, resource: "" }, errors);
}

function accessStatus(authorizer: Authorizer, user: UserInfo, spec: JsonObject): JsonObject {
  return { allowed: authorizer.allows(user, attributesOf(spec)) };
}

function rulesReview({ authorizer }: ReviewNeeds, { user }: ApiCall, spec: JsonObject): JsonObject {
  const namespace = text(spec["namespace"]);
  if (namespace === "") throw StatusError.badRequest("no namespace on request");
  const rules = authorizer.rulesFor(user, namespace);
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
  if (text(spec["token"]) === "") throw StatusError.badRequest("token is required for TokenReview in authentication");
  const user = authenticator.ofToken(text(spec["token"]));
  if (user === undefined) return { user: {}, error: "the token is not valid" };
  return { authenticated: true, user: userJson(user), audiences: [issuer] };
}

function subjectOf(spec: JsonObject): UserInfo {
  const groups = Array.isArray(spec["groups"]) ? spec["groups"].map(String) : [];
  return { name: text(spec["user"]), groups };
}

/** There are some: that was judged. */
function attributesOf(spec: JsonObject): Attributes {
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
  const { verb, path: asked } = isJsonObject(path) ? path : {};
  return { verb: text(verb), path: text(asked) };
}

function userJson({ name, uid, groups, extra }: UserInfo): JsonObject {
  return { username: name, ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
