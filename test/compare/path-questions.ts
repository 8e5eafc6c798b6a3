import type { Fields } from "#api/meta/object-meta.ts";
import type { Dice } from "#test/world/dice.ts";
import { Mutator } from "./mutate-object.ts";
import { dryRun } from "./object-questions.ts";
import type { RequestQuestion } from "./request-question.ts";
import type { Sample } from "./sample-objects.ts";

/** Paths that lead somewhere, nowhere or too far, by methods that are served there or not. */
export function pathQuestion({ collection, object, type }: Sample, dice: Dice): RequestQuestion {
  const { name } = object["metadata"];
  const root = type.group === "" ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const place = dice.of([
    ...[collection, collection, `${root}/${type.plural}`, `${root}/namespaces/missing/${type.plural}`],
    ...[`${root}/namespaces/default/${type.plural}`, `${root}/odds`],
    ...[
      collection.replace(type.version, "v9"),
      `${root}/${type.plural.toUpperCase()}`,
      `${root}/namespaces/Bad_Name/${type.plural}`,
    ],
  ]);
  const item = dice.of([
    "",
    "",
    "/",
    `/${name}`,
    `/${name}`,
    `/${name}/`,
    "/missing",
    "/Bad_Name",
    "/..",
    "//",
    `/${name}/status`,
    `/${name}/odd`,
    `/${name}/status/odd`,
  ]);
  const method = dice.of(["GET", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
  const watched = method === "GET" && dice.happens(0.1) ? "&watch=odd&resourceVersion=odd" : "";
  const sent = { ...object, metadata: { ...object["metadata"], name: dice.of([name, "new"]) } };
  const isNamedCreate = method === "POST" && collection.includes("karmada"); // K20
  const path = `${place}${isNamedCreate ? "" : item}?${dryRun(dice)}${watched}${method === "DELETE" ? "&fieldSelector=metadata.name%3Dx" : ""}`;
  if (method === "POST" || method === "PUT") return { method, path, body: JSON.stringify(sent) };
  if (method !== "PATCH") return { method, path };
  return { method, path, contentType: "application/merge-patch+json", body: '{"metadata":{"labels":{"a":"b"}}}' };
}

const text = { type: "string" };
const attributes = {
  type: "object",
  properties: { namespace: text, verb: text, group: text, resource: text, name: text },
};
const groups = { type: "array", items: text };
const access = { type: "object", properties: { resourceAttributes: attributes, user: text, groups, uid: text } };

interface Asked {
  readonly path: string;
  readonly body: Fields;
  readonly schema: Fields;
}

const authorization = "/apis/authorization.k8s.io/v1";
const review = (kind: string, group: string, spec: Fields): Fields => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: {},
  spec,
});
const withSpec = (spec: Fields): Fields => ({
  type: "object",
  properties: { spec, metadata: { type: "object", properties: { name: text, namespace: text } } },
});
const meAsking = { resourceAttributes: { verb: "get", resource: "pods" } };

const asked: readonly Asked[] = [
  {
    path: `${authorization}/selfsubjectaccessreviews`,
    body: review("SelfSubjectAccessReview", "authorization.k8s.io", meAsking),
    schema: withSpec(access),
  },
  {
    path: `${authorization}/subjectaccessreviews`,
    body: review("SubjectAccessReview", "authorization.k8s.io", { ...meAsking, user: "u" }),
    schema: withSpec(access),
  },
  {
    path: `${authorization}/namespaces/default/localsubjectaccessreviews`,
    body: review("LocalSubjectAccessReview", "authorization.k8s.io", {
      resourceAttributes: { namespace: "default", verb: "get", resource: "pods" },
      user: "u",
    }),
    schema: withSpec(access),
  },
  {
    path: `${authorization}/selfsubjectrulesreviews`,
    body: review("SelfSubjectRulesReview", "authorization.k8s.io", { namespace: "default" }),
    schema: withSpec({ type: "object", properties: { namespace: text } }),
  },
  {
    path: "/apis/authentication.k8s.io/v1/tokenreviews",
    body: review("TokenReview", "authentication.k8s.io", { token: "t" }),
    schema: withSpec({ type: "object", properties: { token: text, audiences: groups } }),
  },
  {
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
    schema: { type: "object", properties: {} },
  },
];

/** Questions that are asked by creating something, and parts of objects that are more than a status: with faults. */
export function specialQuestion(sample: Sample, dice: Dice): RequestQuestion {
  const { path, body, schema } = dice.happens(0.5) ? dice.of(asked) : partOf(sample, dice);
  const sent = dice.happens(0.15) ? body : new Mutator(dice).mutated(body, schema);
  if (dice.happens(0.1)) sent["kind"] = dice.of<unknown>(["", "Odd", "Pod", 1, null]);
  if (dice.happens(0.1)) sent["apiVersion"] = dice.of<unknown>(["", "v1", "odd/v1", 1, "a/b/c"]);
  const method = path.endsWith("/finalize") ? "PUT" : dice.happens(0.95) ? "POST" : dice.of(["GET", "PUT", "DELETE"]);
  const query = path.includes("review") && dice.happens(0.6) ? "" : `?${dryRun(dice)}`;
  return {
    method,
    path: `${path}${query}`,
    ...(method === "POST" || method === "PUT" ? { body: JSON.stringify(sent) } : {}),
  };
}

function partOf({ object, type }: Sample, dice: Dice): Asked {
  const pod = type.plural === "pods" ? object["metadata"].name : dice.of(["s0", "s2", "missing"]);
  const named = { type: "object", properties: { name: text, namespace: text, uid: text } };
  const pods = `/api/v1/namespaces/default/pods/${pod}`;
  const metadata = { name: pod, namespace: "default" };
  const deleteOptions = {
    type: "object",
    properties: { propagationPolicy: text, gracePeriodSeconds: { type: "integer" }, preconditions: named },
  };
  const seconds = { type: "integer", format: "int64" };
  return dice.of<Asked>([
    {
      path: `${pods}/binding`,
      body: { apiVersion: "v1", kind: "Binding", metadata, target: { kind: "Node", name: "n" } },
      schema: {
        type: "object",
        properties: {
          metadata: named,
          target: { type: "object", properties: { kind: text, name: text, apiVersion: text } },
        },
      },
    },
    {
      path: `${pods}/eviction`,
      body: { apiVersion: "policy/v1", kind: "Eviction", metadata, deleteOptions: {} },
      schema: { type: "object", properties: { metadata: named, deleteOptions } },
    },
    {
      path: `/api/v1/namespaces/default/serviceaccounts/${dice.of(["s0", "missing"])}/token`,
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        metadata: {},
        spec: { audiences: ["a"], expirationSeconds: 3600 },
      },
      schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { audiences: groups, expirationSeconds: seconds } } },
      },
    },
    {
      path: "/api/v1/namespaces/s35/finalize",
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "s35" }, spec: { finalizers: ["kubernetes"] } },
      schema: {
        type: "object",
        properties: { metadata: named, spec: { type: "object", properties: { finalizers: groups } } },
      },
    },
  ]);
}
