import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type HttpCall, http } from "#test/world/http.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
let world: TestFleet;
let cluster: EmbeddedCluster;
let token: string;

const post = (body: object, more: Partial<HttpCall> = {}): HttpCall => ({
  method: "POST",
  body: JSON.stringify(body),
  ...more,
});
const as = (user: string, groups: readonly string[] = []): Partial<HttpCall> => ({
  headers: { "impersonate-user": user, ...(groups.length > 0 ? { "impersonate-group": groups.join(",") } : {}) },
});
const role = (name: string, rules: object[]) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "Role",
  metadata: { name },
  rules,
});

beforeAll(async () => {
  world = await startTestFleet();
  cluster = world.fleet.controlPlane;
  await http(
    cluster,
    "/api/v1/namespaces/default/serviceaccounts",
    post({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } }),
  );
  const issued = await http(
    cluster,
    "/api/v1/namespaces/default/serviceaccounts/robot/token",
    post({ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} }),
  );
  token = issued.json.status.token;
});
afterAll(() => world[Symbol.asyncDispose]());

describe("SEC-12: tokens", () => {
  const parts = () => token.split(".") as [string, string, string];
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = () => JSON.parse(Buffer.from(parts()[1], "base64url").toString()) as Record<string, unknown>;

  test("a service account's token is known", async () => {
    const { json } = await http(
      cluster,
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      post({ kind: "SelfSubjectReview" }, { token }),
    );
    expect(json.status.userInfo).toMatchObject({
      username: "system:serviceaccount:default:robot",
      groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
    });
  });

  const mutants: Readonly<Record<string, () => string>> = {
    "no signature": () => `${parts()[0]}.${parts()[1]}.`,
    "algorithm none": () => `${encode({ alg: "none" })}.${parts()[1]}.`,
    "algorithm HS256 signed with the public key": () => {
      const signed = `${encode({ alg: "HS256" })}.${parts()[1]}`;
      return `${signed}.${createHmac("sha256", cluster.pki.ca.certificate).update(signed).digest("base64url")}`;
    },
    "another subject": () =>
      `${parts()[0]}.${encode({ ...claims(), sub: "system:serviceaccount:kube-system:admin" })}.${parts()[2]}`,
    "later expiry": () => `${parts()[0]}.${encode({ ...claims(), exp: 9_999_999_999 })}.${parts()[2]}`,
    "another header": () => `${encode({ alg: "RS256", kid: "x" })}.${parts()[1]}.${parts()[2]}`,
    "a flipped bit in the signature": () =>
      `${parts()[0]}.${parts()[1]}.${parts()[2].startsWith("A") ? "B" : "A"}${parts()[2].slice(1)}`,
    "two parts": () => `${parts()[0]}.${parts()[1]}`,
    "four parts": () => `${token}.x`,
    "a very long one": () => `${token}${"x".repeat(10_000)}`,
    nonsense: () => "x.y.z",
  };
  for (const [name, mutate] of Object.entries(mutants)) {
    test(`${name}: 401`, async () => expect((await http(cluster, "/api", { token: mutate() })).code).toBe(401));
  }

  test("expired, not yet valid, for another audience, of another cluster: 401", async () => {
    const account = (await http(cluster, "/api/v1/namespaces/default/serviceaccounts/robot")).json;
    const base = { namespace: "default", serviceAccount: { name: "robot", uid: account.metadata.uid }, audiences: [] };
    const issue = (more: object) => cluster.tokens.issue({ ...base, nowMs: Date.now(), lifetimeSeconds: 600, ...more });
    expect((await http(cluster, "/api", { token: issue({}) })).code).toBe(200);
    for (const bad of [
      issue({ nowMs: Date.now() - 3_600_000 }),
      issue({ nowMs: Date.now() + 3_600_000 }),
      issue({ audiences: ["elsewhere"] }),
      issue({ serviceAccount: { name: "robot", uid: "other" } }),
    ]) {
      expect((await http(cluster, "/api", { token: bad })).code).toBe(401);
    }
  });

  test("a token ends with its service account", async () => {
    await http(
      cluster,
      "/api/v1/namespaces/default/serviceaccounts",
      post({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "brief" } }),
    );
    const { json } = await http(cluster, "/api/v1/namespaces/default/serviceaccounts/brief/token", post({ spec: {} }));
    expect((await http(cluster, "/api", { token: json.status.token })).code).toBe(200);
    await http(cluster, "/api/v1/namespaces/default/serviceaccounts/brief", { method: "DELETE" });
    expect((await http(cluster, "/api", { token: json.status.token })).code).toBe(401);
  });

  test("a TokenReview tells the same", async () => {
    const review = (text: string) =>
      http(
        cluster,
        "/apis/authentication.k8s.io/v1/tokenreviews",
        post({ kind: "TokenReview", spec: { token: text } }),
      );
    expect((await review(token)).json.status).toMatchObject({
      authenticated: true,
      user: { username: "system:serviceaccount:default:robot" },
    });
    expect((await review("wrong")).json.status.authenticated).toBeUndefined();
  });
});

describe("SEC-13: nobody grants more than they have", () => {
  beforeAll(async () => {
    const manage = [{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], verbs: ["*"] }];
    const reading = [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] }];
    await http(
      cluster,
      `${rbac}/namespaces/default/roles`,
      post(
        role("manager", [
          ...manage.map((rule) => ({ ...rule, verbs: ["create", "update", "get", "patch", "delete"] })),
          ...reading,
        ]),
      ),
    );
    await http(
      cluster,
      `${rbac}/namespaces/default/rolebindings`,
      post({
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { name: "manager" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "manager" },
        subjects: [{ kind: "User", name: "mallory", apiGroup: "rbac.authorization.k8s.io" }],
      }),
    );
  });
  const create = (name: string, rules: object[]) =>
    http(cluster, `${rbac}/namespaces/default/roles`, post(role(name, rules), as("mallory")));

  test("what they hold they may grant", async () => {
    expect((await create("fine", [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }])).code).toBe(201);
  });

  for (const [name, rules] of Object.entries({
    "another verb": [{ apiGroups: [""], resources: ["pods"], verbs: ["delete"] }],
    "another resource": [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
    "a subresource": [{ apiGroups: [""], resources: ["pods/exec"], verbs: ["get"] }],
    everything: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
  })) {
    test(`${name} they may not`, async () => {
      const { code, json } = await create("more", rules);
      expect([code, json.reason]).toEqual([403, "Forbidden"]);
      expect(json.message).toContain("attempting to grant RBAC permissions not currently held");
    });
  }

  test("nor by an update, a patch, an apply or a binding to a greater role", async () => {
    const greater = role("fine", [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }]);
    const path = `${rbac}/namespaces/default/roles/fine`;
    const { headers } = as("mallory");
    const current = (await http(cluster, path)).json;
    expect(
      (
        await http(cluster, path, {
          method: "PUT",
          body: JSON.stringify({ ...current, rules: greater.rules }),
          headers: headers!,
        })
      ).code,
    ).toBe(403);
    expect(
      (
        await http(cluster, path, {
          method: "PATCH",
          body: JSON.stringify({ rules: greater.rules }),
          headers: { ...headers, "content-type": "application/merge-patch+json" },
        })
      ).code,
    ).toBe(403);
    expect(
      (
        await http(cluster, `${path}?fieldManager=m&force=true`, {
          method: "PATCH",
          body: JSON.stringify(greater),
          headers: { ...headers, "content-type": "application/apply-patch+yaml" },
        })
      ).code,
    ).toBe(403);
    const binding = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "up" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "User", name: "mallory", apiGroup: "rbac.authorization.k8s.io" }],
    };
    expect((await http(cluster, `${rbac}/namespaces/default/rolebindings`, post(binding, as("mallory")))).code).toBe(
      403,
    );
  });
});

describe("impersonation", () => {
  test("needs the right to it, for user, group and extra each", async () => {
    const call = (headers: Record<string, string>) =>
      http(cluster, "/api/v1/namespaces/default/pods", { token, headers });
    expect((await call({ "impersonate-user": "alice" })).json.message).toContain(
      'users "alice" is forbidden: User "system:serviceaccount:default:robot" cannot impersonate resource "users"',
    );
    expect((await call({ "impersonate-group": "system:masters" })).code).toBe(400);
  });

  test("groups come with it, and system:masters rules", async () => {
    expect((await http(cluster, "/api/v1/secrets", as("alice", ["system:masters"]) as HttpCall)).code).toBe(200);
    expect((await http(cluster, "/api/v1/secrets", as("alice", ["others"]) as HttpCall)).code).toBe(403);
  });
});
