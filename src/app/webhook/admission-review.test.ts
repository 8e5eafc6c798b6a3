import { describe, expect, test } from "vitest";
import type { Draft } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { ReviewPlugin, ReviewRequest } from "#apiserver/admission.ts";
import { isJsonObject, type JsonObject, stringifyJson } from "#base/json.ts";
import { silentLogger } from "#base/logger.ts";
import { parseJson } from "#base/parse-json.ts";
import { judgeReview } from "./judge-review.ts";

const review = (more: object = {}) => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: {
    uid: "u1",
    kind: { group: "policy.karmada.io", version: "v1alpha1", kind: "PropagationPolicy" },
    resource: { group: "policy.karmada.io", version: "v1alpha1", resource: "propagationpolicies" },
    name: "a",
    namespace: "shop",
    operation: "CREATE",
    userInfo: { username: "jane", uid: "7", groups: ["devs"], extra: { scopes: ["x"] } },
    object: { kind: "PropagationPolicy", metadata: { name: "a" }, spec: { big: 1 } },
    oldObject: null,
    dryRun: true,
    options: { kind: "CreateOptions" },
    ...more,
  },
});

async function answer(plugin: Omit<ReviewPlugin, "name">, body: unknown, phase: "mutate" | "validate" = "validate") {
  const plugins = [{ name: "test", ...plugin }];
  const { response } = (await judgeReview(phase, body, { plugins, log: silentLogger })) as { response: JsonObject };
  return response;
}

test("a plug-in sees what the server says", async () => {
  let seen: ReviewRequest | undefined;
  const validate = (request: ReviewRequest) => {
    seen = request;
    request.warn("mind the gap");
    return undefined;
  };
  expect(await answer({ validate }, review())).toEqual({ uid: "u1", allowed: true, warnings: ["mind the gap"] });
  expect(seen).toMatchObject({
    operation: "CREATE",
    type: { group: "policy.karmada.io", kind: "PropagationPolicy", plural: "propagationpolicies" },
    namespace: "shop",
    name: "a",
    subresource: undefined,
    old: undefined,
    dryRun: true,
    user: { name: "jane", uid: "7", groups: ["devs"], extra: { scopes: ["x"] } },
  });
});

test("what a plug-in changes comes back as a JSON patch, numbers as they were written", async () => {
  const mutate = (request: ReviewRequest) => {
    const draft = request.object as Draft;
    draft.metadata.labels = { "a/b": "c" };
    return undefined;
  };
  const text = stringifyJson(review()).replace('"big":1', '"big":9007199254740993');
  const response = await answer({ mutate }, parseJson(text).value, "mutate");
  expect(response).toMatchObject({ uid: "u1", allowed: true, patchType: "JSONPatch" });
  const patch: unknown = JSON.parse(Buffer.from(String(response["patch"]), "base64").toString());
  expect(patch).toEqual([{ op: "add", path: "/metadata/labels", value: { "a/b": "c" } }]);
});

test("what nobody changes has no patch", async () => {
  expect(await answer({}, review(), "mutate")).toEqual({ uid: "u1", allowed: true });
});

test("a refusal has all that the server's own would have", async () => {
  const refusal = new StatusError(422, "Invalid", "no", { causes: [{ field: "spec" }] });
  const validate = () => Promise.reject(refusal);
  expect(await answer({ validate }, review())).toMatchObject({
    allowed: false,
    status: { code: 422, reason: "Invalid", message: "no", details: { causes: [{ field: "spec" }] } },
  });
});

test("a failure of our own is a refusal that tells nothing of it", async () => {
  const validate = () => Promise.reject(new Error("secret"));
  const response = await answer({ validate }, review());
  expect(response).toMatchObject({ allowed: false, status: { code: 500 } });
  expect(JSON.stringify(response)).not.toContain("secret");
});

describe("what is no review is refused", () => {
  for (const [situation, body] of [
    ["nothing", null],
    ["another kind", { ...review(), kind: "Pod" }],
    ["another version", { ...review(), apiVersion: "admission.k8s.io/v1beta1" }],
    ["no request", { ...review(), request: [] }],
    ["no uid", review({ uid: "" })],
    ["an operation that we do not know", review({ operation: "CONNECT" })],
    ["no object", review({ object: null })],
  ] as const)
    test(situation, async () => {
      await expect(answer({}, body)).rejects.toMatchObject({ code: 400 });
    });

  test("a deletion has none", async () => {
    const response = await answer({}, review({ operation: "DELETE", object: null }));
    expect(isJsonObject(response) && response["allowed"]).toBe(true);
  });
});
