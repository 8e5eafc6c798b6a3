import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { createPki } from "#app/certificates.ts";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type HttpCall, http } from "#test/world/http.ts";

const cms = "/api/v1/namespaces/default/configmaps";
const registrations = "/apis/admissionregistration.k8s.io/v1";

let world: TestFleet;
let cluster: EmbeddedCluster;
let hook: Server;
let url: string;
let seen: Fields[] = [];
/** What the webhook answers; undefined: nothing at all. */
let answer: (request: Fields) => Fields | string | number | undefined = () => ({ allowed: true });

beforeAll(async () => {
  world = await startTestFleet();
  cluster = world.fleet.controlPlane;
  // our own CA signs for 127.0.0.1, so its server certificate serves the webhook, too
  const { certificate, privateKey } = cluster.pki.server;
  hook = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on("end", () => {
      const review = JSON.parse(text) as Fields;
      seen.push(review["request"]);
      const result = answer(review["request"]);
      if (result === undefined) return;
      if (typeof result === "number")
        return void response.writeHead(result, { location: "https://127.0.0.1:1/" }).end();
      const body =
        typeof result === "string"
          ? result
          : JSON.stringify({
              apiVersion: "admission.k8s.io/v1",
              kind: "AdmissionReview",
              response: { uid: review["request"].uid, ...result },
            });
      response.setHeader("content-type", "application/json");
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  url = `https://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  hook.closeAllConnections();
  hook.close();
  await world[Symbol.asyncDispose]();
});
beforeEach(async () => {
  seen = [];
  answer = () => ({ allowed: true });
  for (const kind of ["mutating", "validating"])
    await http(cluster, `${registrations}/${kind}webhookconfigurations/test`, { method: "DELETE" });
});

const post = (body: object): HttpCall => ({ method: "POST", body: JSON.stringify(body) });
const cm = (name: string, labels = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels },
  data: { a: "b" },
});

async function register(kind: "Mutating" | "Validating", more: Fields = {}): Promise<void> {
  const webhook = {
    name: "test.example.com",
    clientConfig: { url, caBundle: Buffer.from(cluster.pki.ca.certificate).toString("base64") },
    rules: [
      { operations: ["CREATE", "UPDATE", "DELETE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
    ],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    timeoutSeconds: 1,
    ...more,
  };
  const { code, text } = await http(
    cluster,
    `${registrations}/${kind.toLowerCase()}webhookconfigurations`,
    post({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${kind}WebhookConfiguration`,
      metadata: { name: "test" },
      webhooks: [webhook],
    }),
  );
  expect(code, text).toBe(201);
}

const patch = (operations: unknown) => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
});

describe("a mutating webhook", () => {
  test("changes what is stored, and sees a whole AdmissionReview", async () => {
    await register("Mutating");
    answer = () => patch([{ op: "add", path: "/metadata/labels", value: { added: "yes" } }]);
    const { json } = await http(cluster, cms, post(cm("mutated")));
    expect(json.metadata.labels).toEqual({ added: "yes" });
    expect(seen[0]).toMatchObject({
      operation: "CREATE",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      name: "mutated",
      namespace: "default",
      userInfo: { username: "flotilla-admin" },
      oldObject: null,
      dryRun: false,
    });
    expect(seen[0]?.["object"].data).toEqual({ a: "b" });
  });

  const refused: Readonly<Record<string, unknown>> = {
    "may not change the name": [{ op: "replace", path: "/metadata/name", value: "other" }],
    "may not change the kind": [{ op: "replace", path: "/kind", value: "Secret" }],
    "may not take the metadata away": [{ op: "remove", path: "/metadata" }],
    "may not send nonsense": [{ op: "dance", path: "/data" }],
  };
  for (const [name, operations] of Object.entries(refused)) {
    test(name, async () => {
      await register("Mutating");
      answer = () => patch(operations);
      const { code, json } = await http(cluster, cms, post(cm("victim")));
      expect([code, json.reason]).toEqual([500, "InternalError"]);
      expect((await http(cluster, `${cms}/victim`)).code).toBe(404);
    });
  }

  test("is asked again when a later one changed the object, if it wishes", async () => {
    await register("Mutating", { reinvocationPolicy: "IfNeeded" });
    const second = { ...(await http(cluster, `${registrations}/mutatingwebhookconfigurations/test`)).json };
    await http(cluster, `${registrations}/mutatingwebhookconfigurations/test`, {
      method: "PUT",
      body: JSON.stringify({
        ...second,
        webhooks: [
          ...second["webhooks"],
          { ...second["webhooks"][0], name: "second.example.com", reinvocationPolicy: "Never" },
        ],
      }),
    });
    let calls = 0;
    answer = () => (++calls === 2 ? patch([{ op: "add", path: "/data/second", value: "x" }]) : { allowed: true });
    await http(cluster, cms, post(cm("again")));
    expect(calls).toBe(3);
  });
});

describe("a validating webhook", () => {
  test("denies with its own words and code", async () => {
    await register("Validating");
    answer = () => ({ allowed: false, status: { message: "not on Sundays", code: 422 }, warnings: ["mind the day"] });
    const { code, json, headers } = await http(cluster, cms, post(cm("denied")));
    expect([code, json.message]).toEqual([
      422,
      'admission webhook "test.example.com" denied the request: not on Sundays',
    ]);
    expect(headers["warning"]).toBe('299 - "mind the day"');
  });

  test("guards deletion, and sees the old object", async () => {
    await http(cluster, cms, post(cm("guarded")));
    await register("Validating");
    answer = ({ operation }) => ({ allowed: operation !== "DELETE" });
    expect((await http(cluster, `${cms}/guarded`, { method: "DELETE" })).code).toBe(403);
    expect(seen[0]).toMatchObject({ operation: "DELETE", object: null, oldObject: { metadata: { name: "guarded" } } });
    expect((await http(cluster, `${cms}/guarded`)).code).toBe(200);
  });

  test("sends warnings along with its consent", async () => {
    await register("Validating");
    answer = () => ({ allowed: true, warnings: ["mind the gap"] });
    expect((await http(cluster, cms, post(cm("warned")))).headers["warning"]).toContain("mind the gap");
  });

  test("is asked only about what its selectors pick", async () => {
    await register("Validating", {
      objectSelector: { matchLabels: { watch: "me" } },
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } },
    });
    await http(cluster, cms, post(cm("unseen")));
    await http(cluster, "/api/v1/namespaces/kube-public/configmaps", post(cm("elsewhere", { watch: "me" })));
    await http(
      cluster,
      "/api/v1/namespaces/default/secrets",
      post({ apiVersion: "v1", kind: "Secret", metadata: { name: "s", labels: { watch: "me" } } }),
    );
    await http(cluster, cms, post(cm("picked", { watch: "me" })));
    expect(seen.map(({ name }) => name)).toEqual(["picked"]);
  });

  test("is not asked about registrations: a broken one can always be removed", async () => {
    await register("Validating", {
      rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }],
    });
    answer = () => ({ allowed: false });
    expect(
      (await http(cluster, `${registrations}/validatingwebhookconfigurations/test`, { method: "DELETE" })).code,
    ).toBe(200);
  });

  test("with side effects refuses a dry run", async () => {
    await register("Validating", { sideEffects: "NoneOnDryRun" });
    expect((await http(cluster, `${cms}?dryRun=All`, post(cm("dry")))).code).toBe(201);
    expect(seen[0]?.["dryRun"]).toBe(true);
  });
});

describe("SEC-29: webhooks that misbehave", () => {
  const misbehaviours: Readonly<Record<string, { answer: typeof answer; says: RegExp }>> = {
    "never answers": { answer: () => undefined, says: /no answer within 1 s/ },
    "answers with 500": { answer: () => 500, says: /status 500/ },
    redirects: { answer: () => 302, says: /status 302/ },
    "answers no JSON": { answer: () => "<html>", says: /not JSON/ },
    "answers without a response": { answer: () => "{}", says: /no response/ },
    "answers another request": { answer: () => ({ uid: "other", allowed: true }), says: /uid/ },
    "answers 4 MiB": { answer: () => "x".repeat(4 << 20), says: /larger than/ },
  };
  for (const [name, { answer: bad, says }] of Object.entries(misbehaviours)) {
    test(`one that ${name}: Fail refuses the write, Ignore lets it pass`, async () => {
      await register("Validating", { failurePolicy: "Fail" });
      answer = bad;
      const { code, json } = await http(cluster, cms, post(cm("careful")));
      expect([code, json.reason]).toEqual([500, "InternalError"]);
      expect(json.message).toMatch(says);
      await http(cluster, `${registrations}/validatingwebhookconfigurations/test`, { method: "DELETE" });
      await register("Validating", { failurePolicy: "Ignore" });
      expect((await http(cluster, cms, post(cm("careless")))).code).toBe(201);
      await http(cluster, `${registrations}/validatingwebhookconfigurations/test`, { method: "DELETE" });
      await http(cluster, `${cms}/careless`, { method: "DELETE" });
    });
  }

  test("a server with another CA is not believed", async () => {
    const other = await createPki({ cluster: "other", nowMs: Date.now() });
    await register("Validating", {
      clientConfig: { url, caBundle: Buffer.from(other.ca.certificate).toString("base64") },
    });
    expect((await http(cluster, cms, post(cm("untrusted")))).json.message).toMatch(/certificate|unable to/i);
  });

  test("plain http and services are refused by name", async () => {
    await register("Validating", { clientConfig: { service: { namespace: "default", name: "hook" } } });
    expect((await http(cluster, cms, post(cm("no-network")))).json.message).toMatch(
      /service default\/hook cannot be reached/,
    );
  });
});
