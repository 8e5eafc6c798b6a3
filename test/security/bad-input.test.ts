import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type HttpCall, http } from "#test/world/http.ts";

const cms = "/api/v1/namespaces/default/configmaps";

let world: TestFleet;
let cluster: EmbeddedCluster;

beforeAll(async () => {
  world = await startTestFleet();
  cluster = world.fleet.controlPlane;
});
afterAll(() => world[Symbol.asyncDispose]());

const post = (body: unknown, headers: Record<string, string> = {}): HttpCall => ({
  method: "POST",
  body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  headers,
});
const patch = (type: string, body: unknown): HttpCall => ({
  method: "PATCH",
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": `application/${type}` },
});
describe("malformed requests get a Status and change nothing", () => {
  const cases: Readonly<Record<string, { path?: string; call: HttpCall; code: number; says: RegExp }>> = {
    "JSON cut short": {
      call: post('{"apiVersion":"v1","kind":"ConfigMap"'),
      code: 400,
      says: /unexpected end of JSON input/,
    },
    "JSON with a comma too many": {
      call: post('{"a":1,}'),
      code: 400,
      says: /invalid character '}' looking for beginning of object key string \(\{"a":1,\}\)/,
    },
    "an array instead of an object": { call: post("[]"), code: 400, says: /cannot unmarshal array/ },
    "an empty body": { call: post(""), code: 400, says: /unexpected end of JSON input/ },
    "YAML that is none": {
      call: post("a: [", { "content-type": "application/yaml" }),
      code: 400,
      says: /must be of type ConfigMap.*unexpected end of the stream/,
    },
    "two YAML documents": {
      call: post("a: 1\n---\nb: 2\n", { "content-type": "application/yaml" }),
      code: 400,
      says: /expected one document, found 2/,
    },
    "a number where a map belongs": {
      call: post({ apiVersion: "v1", kind: "ConfigMap", metadata: 5 }),
      code: 400,
      says: /cannot unmarshal number/,
    },
    "labels that are a list": {
      call: post({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", labels: ["a"] } }),
      code: 400,
      says: /cannot unmarshal array/,
    },
    "protobuf that is none": {
      call: post("nonsense", { "content-type": "application/vnd.kubernetes.protobuf" }),
      code: 400,
      says: /protobuf/,
    },
    "a JSON patch that is no list": {
      path: `${cms}/base`,
      call: patch("json-patch+json", { op: "add" }),
      code: 400,
      says: /./,
    },
    "percent-encoding that is none": { path: `${cms}/%zz`, call: {}, code: 400, says: /percent-encoding/ },
    "a name that climbs": { path: `${cms}/..%2f..%2fsecrets`, call: {}, code: 404, says: /could not find/ },
    "a limit that is no number": { path: `${cms}?limit=ten`, call: {}, code: 400, says: /invalid syntax/ },
    "a label selector that is none": {
      path: `${cms}?labelSelector=%21%21a`,
      call: {},
      code: 400,
      says: /unable to parse requirement|found/,
    },
    "an unknown dryRun": {
      path: `${cms}?dryRun=Some`,
      call: post({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } }),
      code: 422,
      says: /dryRun/,
    },
    "a method that does not exist": { call: { method: "TRACE" }, code: 405, says: /does not allow this method/ },
    "an unknown content encoding": {
      call: post("x", { "content-encoding": "br" }),
      code: 415,
      says: /content encoding "br"/,
    },
  };
  for (const [name, { path = cms, call, code, says }] of Object.entries(cases)) {
    test(name, async () => {
      await http(cluster, cms, post({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "base" } }));
      const before = (await http(cluster, cms)).json.metadata.resourceVersion;
      const answer = await http(cluster, path, call);
      expect([answer.code, answer.json.kind, answer.json.status], answer.text).toEqual([code, "Status", "Failure"]);
      expect(answer.json.message).toMatch(says);
      expect((await http(cluster, cms)).json.metadata.resourceVersion).toBe(before);
    });
  }
});

describe("nothing is served to strangers but health and version", () => {
  for (const path of ["/healthz", "/livez", "/readyz", "/version"]) {
    test(`${path} is open`, async () => expect((await http(cluster, path, { token: "none" })).code).toBe(200));
  }
  for (const path of [
    "/",
    "/api",
    "/apis",
    "/openapi/v3",
    "/metrics",
    cms,
    "/api/v1/secrets",
    "/apis/policy.karmada.io/v1alpha1",
    "/nowhere",
  ]) {
    test(`${path} is closed`, async () => {
      for (const token of ["none", "wrong", "eyJhbGciOiJub25lIn0.e30."])
        expect((await http(cluster, path, { token })).code).toBe(401);
    });
  }

  test("SEC-12: a token in the query is no token", async () => {
    expect(
      (await http(cluster, `${cms}?token=x&Authorization=Bearer%20x&access_token=x`, { token: "none" })).code,
    ).toBe(401);
  });
});
