import { request } from "node:https";
import { connect, type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { type HttpCall, http } from "#test/world/http.ts";

const cms = "/api/v1/namespaces/default/configmaps";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const boxes = "/apis/example.com/v1/boxes";

let world: TestFleet;
let cluster: EmbeddedCluster;

beforeAll(async () => {
  world = await startTestFleet();
  cluster = world.fleet.controlPlane;
  const { code, text } = await http(cluster, definitions, post(boxDefinition));
  expect(code, text).toBe(201);
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
const alive = async () => expect((await http(cluster, "/readyz", { token: "none" })).text).toBe("ok");

const boxDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "boxes.example.com" },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { plural: "boxes", kind: "Box" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                "x-kubernetes-preserve-unknown-fields": true,
                properties: { code: { type: "string", pattern: "^(a+)+$" } },
              },
            },
          },
        },
      },
    ],
  },
};

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
      says: /invalid character '}' looking for beginning of object key string at character 7/,
    },
    "an array instead of an object": { call: post("[]"), code: 400, says: /not a JSON object/ },
    "an empty body": { call: post(""), code: 400, says: /unexpected end of JSON input/ },
    "YAML that is none": {
      call: post("a: [", { "content-type": "application/yaml" }),
      code: 400,
      says: /error decoding YAML/,
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
    "a name that climbs": { path: `${cms}/..%2f..%2fsecrets`, call: {}, code: 404, says: /not found/ },
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

describe("SEC-34: prototype pollution", () => {
  const evilKeys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  const evil = (key: string, depth: number): string =>
    depth === 0 ? '{"polluted":"yes"}' : `{"${key}":${evil(key, depth - 1)}}`;
  const payloads = evilKeys.flatMap((key) => [1, 2, 3].map((depth) => ({ key, text: evil(key, depth) })));

  for (const { key, text } of payloads) {
    test(`${text} is data on every write path`, async () => {
      const name = `p${Buffer.from(text).toString("hex").slice(0, 40)}`;
      await http(cluster, `${boxes}/${name}`, { method: "DELETE" });
      const object = (spec: string) =>
        `{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"${name}"},"spec":${spec}}`;
      const created = await http(cluster, boxes, post(object(text)));
      expect(created.text).toContain(`"spec":${text}`);
      await http(cluster, `${boxes}/${name}`, patch("merge-patch+json", `{"spec":${text}}`));
      await http(
        cluster,
        `${boxes}/${name}`,
        patch("json-patch+json", [{ op: "add", path: `/spec/${key}`, value: { polluted: "yes" } }]),
      );
      await http(cluster, `${boxes}/${name}?fieldManager=evil&force=true`, patch("apply-patch+yaml", object(text)));
      await http(
        cluster,
        cms,
        post(
          `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm-${name}","labels":{"${key}":"x"}},"data":{"${key}":"x"}}`,
        ),
      );
      await http(
        cluster,
        `${cms}/cm-${name}`,
        patch("strategic-merge-patch+json", `{"data":${text},"metadata":{"annotations":{"${key}":"x"}}}`),
      );
      await http(cluster, `${cms}?labelSelector=${key}%3Dx&${key}=x&fieldManager=${key}`);
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      expect((await http(cluster, `${boxes}/${name}`)).text).toContain(`"${key}":`);
    });
  }

  test("a label called __proto__ is kept or refused, never lost", async () => {
    const { code, json, text } = await http(
      cluster,
      cms,
      post('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"proto-label","labels":{"__proto__":"x"}}}'),
    );
    if (code === 201) expect(text).toContain('"labels":{"__proto__":"x"}');
    else expect([code, json.reason]).toEqual([422, "Invalid"]);
  });
});

test("SEC-35: a hostile pattern costs linear time", async () => {
  for (const length of [30, 1_000, 100_000]) {
    const started = performance.now();
    const { code, json } = await http(
      cluster,
      boxes,
      post({
        apiVersion: "example.com/v1",
        kind: "Box",
        metadata: { name: "evil" },
        spec: { code: `${"a".repeat(length)}!` },
      }),
    );
    expect([code, json.reason]).toEqual([422, "Invalid"]);
    expect(performance.now() - started).toBeLessThan(1_000);
  }
  await alive();
});

test("SEC-36: YAML bombs are refused", async () => {
  const laughs = Array.from(
    { length: 9 },
    (_, i) =>
      `l${i + 1}: &l${i + 1} [${Array(9)
        .fill(i === 0 ? '"x"' : `*l${i}`)
        .join(",")}]`,
  ).join("\n");
  const anchors = `a: &a x\n${Array.from({ length: 100_000 }, (_, i) => `k${i}: *a`).join("\n")}`;
  for (const yaml of [laughs, "a: &a [*a]", anchors, "a: !!js/undefined x"]) {
    const { code, json } = await http(cluster, cms, post(yaml, { "content-type": "application/yaml" }));
    expect([code, json.reason], json.message).toEqual([400, "BadRequest"]);
  }
  await alive();
});

test("SEC-37: depth is bounded", async () => {
  const nested = (depth: number) =>
    `{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"deep"},"spec":{"x":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
  expect((await http(cluster, boxes, post(nested(125)))).code).toBe(201);
  for (const depth of [129, 5_000, 1_000_000]) {
    const { code, json } = await http(cluster, boxes, post(nested(depth)));
    expect([code, json.reason]).toEqual([400, "BadRequest"]);
  }
  await alive();
});

test("SEC-38: numbers are stored and served as they were written", async () => {
  const numbers = '{"big":9007199254740993,"unsigned":18446744073709551615,"float":1.0,"exponent":1e3,"zero":-0}';
  const body = `{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"numbers"},"spec":${numbers}}`;
  expect((await http(cluster, boxes, post(body))).text).toContain(numbers);
  await http(cluster, `${boxes}/numbers`, patch("merge-patch+json", '{"metadata":{"labels":{"a":"b"}}}'));
  await http(
    cluster,
    `${boxes}/numbers`,
    patch("json-patch+json", '[{"op":"add","path":"/spec/more","value":123456789012345678}]'),
  );
  const { text } = await http(cluster, `${boxes}/numbers`);
  expect(text).toContain(numbers.slice(0, -1));
  expect(text).toContain('"more":123456789012345678');
  expect((await http(cluster, boxes)).text).toContain(numbers.slice(0, -1));
});

describe("SEC-43: oversized bodies", () => {
  test("4 MiB is refused with 413", async () => {
    const { code, json } = await http(cluster, cms, post(Buffer.alloc(4 << 20, 0x20)));
    expect([code, json.message]).toEqual([413, "Request entity too large: limit is 3145728"]);
  });

  test("an endless chunked body is cut off", async () => {
    const { pki, url } = cluster;
    const code = await new Promise<number>((resolve, reject) => {
      const outgoing = request(`${url}${cms}`, {
        method: "POST",
        ca: pki.ca.certificate,
        cert: pki.admin.certificate,
        key: pki.admin.privateKey,
        agent: false,
      });
      outgoing.on("response", (response) => resolve(response.statusCode ?? 0));
      outgoing.on("error", reject);
      let sent = 0;
      const more = () => {
        while (sent < 64 << 20) {
          sent += 65_536;
          if (!outgoing.write(Buffer.alloc(65_536, 0x20))) return void outgoing.once("drain", more);
        }
      };
      more();
    });
    expect(code).toBe(413);
  });

  test("a gzip bomb is refused after 3 MiB", async () => {
    const bomb = gzipSync(Buffer.alloc(300 << 20, 0x20));
    expect(bomb.length).toBeLessThan(1 << 20);
    const { code } = await http(cluster, cms, post(bomb, { "content-encoding": "gzip" }));
    expect(code).toBe(413);
    await alive();
  });

  test("a small gzip body is read", async () => {
    const body = gzipSync(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "zipped" } }));
    expect((await http(cluster, cms, post(body, { "content-encoding": "gzip" }))).code).toBe(201);
  });
});

describe("SEC-44: slow clients", () => {
  const slowHeaders = 200;
  const slowReaders = 50;

  test(`${slowHeaders} that never finish their headers and ${slowReaders} that never read do not slow the others`, async () => {
    const sockets: TLSSocket[] = [];
    try {
      for (let i = 0; i < slowHeaders; i++) sockets.push(await slowSocket("GET /api HTTP/1.1\r\nHost: x\r\nX-Slow: "));
      for (let i = 0; i < slowReaders; i++) {
        const socket = await slowSocket("GET /openapi/v3/api/v1 HTTP/1.1\r\nHost: x\r\n\r\n");
        socket.pause();
        sockets.push(socket);
      }
      const times: number[] = [];
      for (let i = 0; i < 50; i++) {
        const started = performance.now();
        await alive();
        times.push(performance.now() - started);
      }
      expect(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]).toBeLessThan(500);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test("a client that does not finish its headers is disconnected", async () => {
    const socket = await slowSocket("GET /api HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    const closedAfterMs = await new Promise<number>((resolve) => {
      const started = performance.now();
      socket.resume();
      socket.on("close", () => resolve(performance.now() - started));
    });
    expect(closedAfterMs).toBeLessThan(20_000);
  });

  function slowSocket(head: string): Promise<TLSSocket> {
    const { pki, url } = cluster;
    const port = Number(new URL(url).port);
    return new Promise((resolve, reject) => {
      const socket = connect(
        {
          port,
          host: "127.0.0.1",
          ca: pki.ca.certificate,
          cert: pki.admin.certificate,
          key: pki.admin.privateKey,
          ALPNProtocols: ["http/1.1"],
        },
        () => {
          socket.write(head);
          resolve(socket);
        },
      );
      socket.on("error", reject);
    });
  }
});

test("SEC-45: too many watches of one user get 429 with Retry-After, others are served", async () => {
  const limit = 2_000;
  const { server } = cluster;
  const user = (name: string) => ({ name, groups: ["system:masters"] });
  const { InFlightLimit } = await import("#apiserver/http/in-flight-limit.ts");
  const gate = new InFlightLimit();
  const releases = Array.from({ length: limit }, () => gate.enter(user("greedy"), "watch"));
  expect(() => gate.enter(user("greedy"), "watch")).toThrow(
    expect.objectContaining({ code: 429, details: { retryAfterSeconds: 1 } }),
  );
  expect(() => gate.enter(user("modest"), "watch")).not.toThrow();
  expect(() => gate.enter(user("greedy"), "get")).not.toThrow();
  for (const release of releases) release();
  expect(() => gate.enter(user("greedy"), "watch")).not.toThrow();
  expect(server.core.store.revision).toBeGreaterThan(0);
});

test("SEC-45: a watcher that does not read is dropped, the others go on", async () => {
  const big = "x".repeat(200_000);
  const { pki, url } = cluster;
  const slow = connect({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    ca: pki.ca.certificate,
    cert: pki.admin.certificate,
    key: pki.admin.privateKey,
    ALPNProtocols: ["http/1.1"],
  });
  await new Promise((resolve) => slow.once("secureConnect", resolve));
  slow.write(`GET ${cms}?watch=true HTTP/1.1\r\nHost: x\r\n\r\n`);
  slow.pause();
  const healthy = http(cluster, `${cms}?watch=true&fieldSelector=metadata.name%3Dbig`, { forMs: 4_000 });
  await http(cluster, cms, post({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "big" } }));
  for (let i = 0; i < 60; i++)
    await http(cluster, `${cms}/big`, patch("merge-patch+json", { data: { value: `${i}${big}` } }));
  const { text } = await healthy;
  expect(text.split("\n").filter((line) => line.includes('"MODIFIED"'))).toHaveLength(60);
  slow.on("error", () => {}); // a reset is what it gets
  slow.resume();
  await new Promise((resolve) => slow.once("close", resolve));
  await alive();
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
