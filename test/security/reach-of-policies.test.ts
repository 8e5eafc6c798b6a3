import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NewObject } from "#client/client.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type HttpCall, http } from "#test/world/http.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { seedObject } from "#test/world/seeded-object.ts";
import { World } from "#test/world/world.ts";

const apiVersion = "policy.karmada.io/v1alpha1";
const selecting = (kind: string, namespace?: string) => ({
  resourceSelectors: [{ apiVersion: "v1", kind, ...(namespace !== undefined && { namespace }) }],
  placement: {},
});
const policy = (name: string, spec: object): NewObject => ({
  apiVersion,
  kind: "PropagationPolicy",
  metadata: { name, namespace: "a" },
  spec,
});
const start = () => World.start({ members: ["m1"], launch: (needs) => RoughFleet.launch(needs) });
const configMap = (namespace: string) => `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: ${namespace} }
`;

describe("SEC-01: a policy that selects in another namespace", () => {
  let fleet: TestFleet;
  beforeAll(async () => {
    fleet = await startTestFleet();
    const metadata = { name: "a" };
    await call("/api/v1/namespaces", send("POST", { apiVersion: "v1", kind: "Namespace", metadata }));
    await call(policies, send("POST", policy("good", selecting("ConfigMap"))));
    await call(policies, send("POST", policy("replaced", selecting("ConfigMap"))));
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  const policies = "/apis/policy.karmada.io/v1alpha1/namespaces/a/propagationpolicies";
  const good = `${policies}/good`;
  const bad = selecting("ConfigMap", "b");
  const call = (path: string, request: HttpCall) => http(fleet.fleet.controlPlane, path, request);
  const send = (method: string, body: unknown, type = "json"): HttpCall => ({
    method,
    body: JSON.stringify(body),
    headers: { "content-type": `application/${type}` },
  });
  const replaced = [{ op: "replace", path: "/spec/resourceSelectors", value: bad.resourceSelectors }];

  test.each<[string, string, HttpCall]>([
    ["POST", policies, send("POST", policy("bad", bad))],
    ["a merge patch", good, send("PATCH", { spec: bad }, "merge-patch+json")],
    ["a JSON patch", good, send("PATCH", replaced, "json-patch+json")],
    ["apply", `${policies}/bad?fieldManager=t`, send("PATCH", policy("bad", bad), "apply-patch+yaml")],
    ["apply over it", `${good}?fieldManager=t&force=true`, send("PATCH", policy("good", bad), "apply-patch+yaml")],
  ])("is refused by %s", async (_, path, request) => {
    const { code, text } = await call(path, request);
    expect([code, text]).toEqual([422, expect.stringContaining("spec.resourceSelectors[0].namespace")]);
  });

  test("is refused by PUT", async () => {
    const path = `${policies}/replaced`;
    const { json } = await call(path, { method: "GET" });
    const { code, text } = await call(path, send("PUT", { ...json, spec: bad }));
    expect([code, text]).toEqual([422, expect.stringContaining("spec.resourceSelectors[0].namespace")]);
  });

  test("reaches nothing there where it is stored already", async () => {
    await using world = await start();
    await world.apply(`${configMap("a")}---${configMap("b")}`);
    const labels = { "propagationpolicy.karmada.io/permanent-id": "b0000000-0000-4000-8000-000000000000" };
    const { metadata, ...rest } = policy("bad", bad);
    const seeded = { ...rest, metadata: { ...metadata, labels } };
    await seedObject(world.fleet.controlPlane, "propagationpolicies", seeded);
    await world.settle();
    expect(world.list("propagationpolicies")).toHaveLength(1);
    expect(world.list("resourcebindings")).toEqual([]);
    expect(world.get("configmaps/b/settings")!["metadata"].labels).toBeUndefined();
    expect(world.member("m1").get("configmaps/b/settings")).toBeUndefined();
  });
});

/** A Secret that must not be found anywhere else. */
const secret = (namespace: string, name: string) => `
apiVersion: v1
kind: Secret
metadata: { name: ${name}, namespace: ${namespace} }
stringData: { token: canary-${name} }
---
`;
const everything = (kind: string) => `
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterPropagationPolicy
metadata: { name: all }
spec: { resourceSelectors: [{ apiVersion: v1, kind: ${kind} }], placement: {} }
---
`;

test("SEC-03: a cluster policy for all Secrets does not reach those of the system's own namespaces", async () => {
  await using world = await start();
  await world.settle();
  const reserved = ["karmada-cluster", "karmada-system", "karmada-es-m1", "kube-system", "kube-public"];
  await world.apply(`${everything("Secret")}${reserved.map((each) => secret(each, `of-${each}`)).join("")}`);
  await world.apply(secret("shop", "of-shop"));
  await world.settle();
  const sent = JSON.stringify(world.list("works"));
  for (const namespace of reserved) {
    expect(world.list("resourcebindings").filter(({ metadata }) => metadata.namespace === namespace)).toEqual([]);
    expect(sent).not.toContain(`of-${namespace}`);
    expect(world.member("m1").get(`secrets/${namespace}/of-${namespace}`)).toBeUndefined();
  }
  expect(world.member("m1").get("secrets/shop/of-shop")).toBeDefined();
});

test("SEC-03: the token of a service account stays where it is valid, though its Secret is claimed as in Karmada", async () => {
  await using world = await start();
  await world.apply(`${everything("Secret")}
apiVersion: v1
kind: ServiceAccount
metadata: { name: robot, namespace: shop }
---
apiVersion: v1
kind: Secret
metadata: { name: robot-token, namespace: shop, annotations: { kubernetes.io/service-account.name: robot } }
type: kubernetes.io/service-account-token
`);
  await world.settle();
  const token = world.get("secrets/shop/robot-token")?.["data"]?.token;
  expect(token).toMatch(/^[A-Za-z0-9+/]{100,}/); // the control plane's own
  expect(world.get("resourcebindings/shop/robot-token-secret")).toBeDefined();
  expect(JSON.stringify(world.list("works"))).not.toContain(token);
  expect(JSON.stringify(world.member("m1").list("secrets"))).not.toContain(token);
});
