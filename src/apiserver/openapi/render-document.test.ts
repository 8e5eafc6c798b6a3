import { describe, expect, test } from "vitest";
import type { ResourceType } from "#api/meta/resource-type.ts";
import type { PublishedSchemas } from "#schema/published-schema.ts";
import { openApiKey } from "./open-api-request.ts";
import { renderOpenApi } from "./render-document.ts";

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const publishedSchemas: PublishedSchemas = {
  ...Object.fromEntries(
    ["DeleteOptions", "Status", "WatchEvent", "Patch", "APIResourceList", "ObjectMeta", "ListMeta"].map((name) => [
      `${meta}.${name}`,
      { type: "object", "x-kubernetes-group-version-kind": [{ group: "apps", version: "v1", kind: name }] },
    ]),
  ),
  "io.k8s.api.apps.v1.Deployment": {
    type: "object",
    description: "Deployment enables updates",
    properties: {
      metadata: { default: {}, allOf: [{ $ref: `${meta}.ObjectMeta` }] },
      spec: { $ref: "io.k8s.api.apps.v1.DeploymentSpec" },
    },
    "x-kubernetes-group-version-kind": [{ group: "apps", version: "v1", kind: "Deployment" }],
  },
  "io.k8s.api.apps.v1.DeploymentSpec": {
    type: "object",
    properties: { $ref: { type: "string" }, replicas: { type: "integer" } },
  },
  "io.k8s.api.apps.v1.DeploymentList": {
    type: "object",
    properties: { items: { type: "array", items: { $ref: "io.k8s.api.apps.v1.Deployment" } } },
    "x-kubernetes-group-version-kind": [{ group: "apps", version: "v1", kind: "DeploymentList" }],
  },
  "io.k8s.api.core.v1.Unrelated": { type: "object" },
  "io.k8s.api.autoscaling.v1.Scale": {
    type: "object",
    "x-kubernetes-group-version-kind": [{ group: "autoscaling", version: "v1", kind: "Scale" }],
  },
};

function resourceType(partial: Partial<ResourceType>): ResourceType {
  return {
    group: "apps",
    version: "v1",
    kind: "Deployment",
    listKind: "DeploymentList",
    plural: "deployments",
    singular: "deployment",
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    schema: { type: "object" },
    subresources: {
      status: true,
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
    },
    strategy: { generation: "spec", unconditionalUpdate: true },
    table: { columns: [], cells: () => [] },
    custom: false,
    ...partial,
  };
}

function render(...resources: ResourceType[]) {
  const { group, version } = resources[0]!;
  // The tests look into the document as a client does, by name.
  return renderOpenApi({ group, version, resources, publishedSchemas, serverVersion: "v1.36.0" }) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
    components: { schemas: Record<string, Record<string, unknown>> };
  };
}

const policy = resourceType({
  group: "policy.karmada.io",
  version: "v1alpha1",
  kind: "PropagationPolicy",
  listKind: "PropagationPolicyList",
  plural: "propagationpolicies",
  subresources: {},
  custom: true,
  schema: {
    type: "object",
    description: "Says where a resource goes.",
    required: ["spec"],
    properties: {
      metadata: { type: "object" },
      spec: { type: "object", properties: { suspend: { type: "boolean" } } },
    },
  },
});

describe("a built-in kind", () => {
  const document = render(resourceType({}));
  const item = "/apis/apps/v1/namespaces/{namespace}/deployments/{name}";

  test("kubectl finds fieldValidation and strategic merge at the PATCH operation of the kind", () => {
    expect(document.paths[item]!["patch"]).toMatchObject({
      operationId: "patchAppsV1NamespacedDeployment",
      "x-kubernetes-group-version-kind": { group: "apps", version: "v1", kind: "Deployment" },
      parameters: expect.arrayContaining([expect.objectContaining({ name: "fieldValidation", in: "query" })]),
      requestBody: {
        content: {
          "application/apply-patch+yaml": { schema: { $ref: `#/components/schemas/${meta}.Patch` } },
          "application/json-patch+json": expect.anything(),
          "application/merge-patch+json": expect.anything(),
          "application/strategic-merge-patch+json": expect.anything(),
        },
      },
    });
  });

  test("every path of the resource is there", () => {
    expect(Object.keys(document.paths)).toEqual([
      "/apis/apps/v1/",
      "/apis/apps/v1/deployments",
      "/apis/apps/v1/namespaces/{namespace}/deployments",
      item,
      `${item}/scale`,
      `${item}/status`,
    ]);
    expect(Object.keys(document.paths[item]!)).toEqual(["get", "put", "patch", "delete", "parameters"]);
  });

  test("its schemas are the published ones that it reaches, references written in full", () => {
    expect(Object.keys(document.components.schemas)).not.toContain("io.k8s.api.core.v1.Unrelated");
    expect(document.components.schemas["io.k8s.api.apps.v1.Deployment"]).toMatchObject({
      properties: {
        metadata: { default: {}, allOf: [{ $ref: `#/components/schemas/${meta}.ObjectMeta` }] },
        spec: { $ref: "#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec" },
      },
    });
    expect(document.components.schemas).toHaveProperty(["io.k8s.api.apps.v1.DeploymentList"]);
    expect(document.components.schemas).toHaveProperty(["io.k8s.api.autoscaling.v1.Scale"]);
  });

  test("a property that is called $ref is not a reference", () => {
    expect(document.components.schemas["io.k8s.api.apps.v1.DeploymentSpec"]).toMatchObject({
      properties: { $ref: { type: "string" } },
    });
  });

  test("the scale operations are of the kind Scale", () => {
    expect(document.paths[`${item}/scale`]!["get"]).toMatchObject({
      operationId: "readAppsV1NamespacedDeploymentScale",
      "x-kubernetes-group-version-kind": { group: "autoscaling", version: "v1", kind: "Scale" },
    });
  });
});

describe("a custom kind", () => {
  const document = render(policy);

  test("offers no strategic merge patch", () => {
    const item = "/apis/policy.karmada.io/v1alpha1/namespaces/{namespace}/propagationpolicies/{name}";
    const body = document.paths[item]!["patch"]!["requestBody"] as { content: object };
    expect(Object.keys(body.content)).toEqual([
      "application/apply-patch+yaml",
      "application/json-patch+json",
      "application/merge-patch+json",
    ]);
  });

  test("is published under its reversed group with its schema inlined", () => {
    expect(document.components.schemas["io.karmada.policy.v1alpha1.PropagationPolicy"]).toMatchObject({
      description: "Says where a resource goes.",
      required: ["spec"],
      properties: {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { allOf: [{ $ref: `#/components/schemas/${meta}.ObjectMeta` }] },
        spec: { type: "object", properties: { suspend: { type: "boolean" } } },
      },
      "x-kubernetes-group-version-kind": [
        { group: "policy.karmada.io", version: "v1alpha1", kind: "PropagationPolicy" },
      ],
    });
    expect(document.components.schemas["io.karmada.policy.v1alpha1.PropagationPolicyList"]).toMatchObject({
      properties: { items: { items: { $ref: "#/components/schemas/io.karmada.policy.v1alpha1.PropagationPolicy" } } },
    });
  });
});

test("a review kind can only be created", () => {
  const document = render(
    resourceType({ kind: "Review", plural: "reviews", listKind: "ReviewList", verbs: ["create"], subresources: {} }),
  );
  expect(Object.keys(document.paths)).toEqual(["/apis/apps/v1/", "/apis/apps/v1/namespaces/{namespace}/reviews"]);
});

test("the same resources give the same bytes", () => {
  expect(JSON.stringify(render(policy))).toBe(JSON.stringify(render(policy)));
});

test.each([
  ["the core group", { group: "", version: "v1" }, "api/v1"],
  ["a named group", { group: "apps", version: "v1" }, "apis/apps/v1"],
])("the key of %s", (_, groupVersion, key) => {
  expect(openApiKey(groupVersion)).toBe(key);
});
