import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type HttpCall, http } from "#test/world/http.ts";

interface Powerful {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
}

const ours = (group: string, resource: string, kind: string, namespace?: string): Powerful => ({
  group,
  version: resource.endsWith("bindings") ? "v1alpha2" : "v1alpha1",
  resource,
  kind,
  ...(namespace !== undefined && { namespace }),
});
const native = (group: string, resource: string, kind: string, namespace?: string): Powerful => ({
  ...ours(group, resource, kind, namespace),
  version: "v1",
});

/** What gives power over others' workloads, or over the system. */
const powerful: readonly Powerful[] = [
  ours("policy.karmada.io", "clusterpropagationpolicies", "ClusterPropagationPolicy"),
  ours("policy.karmada.io", "clusteroverridepolicies", "ClusterOverridePolicy"),
  ours("policy.karmada.io", "clustertaintpolicies", "ClusterTaintPolicy"),
  ours("config.karmada.io", "resourceinterpretercustomizations", "ResourceInterpreterCustomization"),
  ours("cluster.karmada.io", "clusters", "Cluster"),
  ours("apps.karmada.io", "workloadrebalancers", "WorkloadRebalancer"),
  ours("work.karmada.io", "clusterresourcebindings", "ClusterResourceBinding"),
  ours("work.karmada.io", "works", "Work", "karmada-es-m1"),
  native("coordination.k8s.io", "leases", "Lease", "karmada-system"),
  native("", "secrets", "Secret", "karmada-cluster"),
  native("rbac.authorization.k8s.io", "clusterroles", "ClusterRole"),
  native("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition"),
  native("admissionregistration.k8s.io", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"),
];
/** Tenants may look at their own, and leave it to the system. */
const ownBindings = ours("work.karmada.io", "resourcebindings", "ResourceBinding", "default");

const collection = ({ group, version, resource, namespace }: Powerful) =>
  `/${group === "" ? "api" : `apis/${group}`}/${version}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${resource}`;

const writing = ["create", "update", "patch", "delete", "deletecollection"] as const;
const verbs = ["get", "list", "watch", ...writing] as const;
type Verb = (typeof verbs)[number];

/** The request by which a verb is tried. */
function requestFor(verb: Verb, what: Powerful): readonly [string, HttpCall] {
  const all = collection(what);
  const one = `${all}/some`;
  const apiVersion = what.group === "" ? what.version : `${what.group}/${what.version}`;
  const body = JSON.stringify({ apiVersion, kind: what.kind, metadata: { name: "some" } });
  switch (verb) {
    case "get":
      return [one, {}];
    case "list":
      return [all, {}];
    case "watch":
      return [`${all}?watch=true`, { forMs: 1_000 }];
    case "create":
      return [all, { method: "POST", body }];
    case "update":
      return [one, { method: "PUT", body }];
    case "patch":
      return [one, { method: "PATCH", body: "{}", headers: { "content-type": "application/merge-patch+json" } }];
    case "delete":
      return [one, { method: "DELETE" }];
    case "deletecollection":
      return [all, { method: "DELETE" }];
  }
}

describe.each(["view", "edit", "admin"])("SEC-02: a tenant with the role %s", (clusterRole) => {
  let fleet: TestFleet;
  const tenant = `tenant-${clusterRole}`;
  const apiGroup = "rbac.authorization.k8s.io";
  const call = (path: string, request: HttpCall = {}) => http(fleet.fleet.controlPlane, path, request);
  const asTenant = (path: string, request: HttpCall) =>
    call(path, { ...request, headers: { ...request.headers, "impersonate-user": tenant } });

  beforeAll(async () => {
    fleet = await startTestFleet({ members: ["m1"] });
    const binding = {
      apiVersion: `${apiGroup}/v1`,
      kind: "RoleBinding",
      metadata: { name: tenant },
      roleRef: { apiGroup, kind: "ClusterRole", name: clusterRole },
      subjects: [{ apiGroup, kind: "User", name: tenant }],
    };
    const path = `/apis/${apiGroup}/v1/namespaces/default/rolebindings`;
    expect((await call(path, { method: "POST", body: JSON.stringify(binding) })).code).toBe(201);
    expect((await asTenant("/api/v1/namespaces/default/pods", {})).code).toBe(200); // it does count
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  const tried = [
    ...powerful.flatMap((what) => verbs.map((verb) => ({ what, verb }))),
    ...writing.map((verb) => ({ what: ownBindings, verb })),
  ];

  test(`is refused in all of ${tried.length} calls, and told so beforehand`, async () => {
    for (const { what, verb } of tried) {
      const { group, resource, namespace } = what;
      const [path, request] = requestFor(verb, what);
      const { code } = await asTenant(path, request);
      expect(code, `${verb} ${path}`).toBe(403);
      const spec = { user: tenant, resourceAttributes: { group, resource, verb, namespace } };
      const review = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec };
      const { json } = await call("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        method: "POST",
        body: JSON.stringify(review),
      });
      expect(json["status"]?.allowed, `${verb} ${path}`).toBe(false);
    }
  });
});
