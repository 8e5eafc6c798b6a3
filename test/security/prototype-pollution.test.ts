import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { Http2Connection, type Http2Request } from "#test/world/http2.ts";
import { boxDefinition, boxes, definitions } from "./box-definition.ts";

const cms = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";

const keys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "\\u005f_proto__",
  "valueOf",
  "__defineGetter__",
  "__lookupSetter__",
  "isPrototypeOf",
];
/** What stands under the key; each writes `polluted` somewhere when a merge follows the key where it should not. */
const shapes: readonly ((key: string) => string)[] = [
  (key) => `{"${key}":{"polluted":"yes"}}`,
  (key) => `{"${key}":{"${key}":{"polluted":"yes"}}}`,
  (key) => `{"${key}":{"${key}":{"${key}":{"polluted":"yes"}}}}`,
  (key) => `{"constructor":{"prototype":{"${key}":{"polluted":"yes"}}}}`,
  (key) => `{"${key}":{"prototype":{"polluted":"yes"}}}`,
  (key) => `{"list":[{"${key}":{"polluted":"yes"}}]}`,
  (key) => `{"a":{"${key}":{"polluted":"yes"},"b":1},"c":2}`,
  (key) => `{"${key}":["polluted"]}`,
  (key) => `{"${key}":null,"__proto__":{"polluted":"yes"}}`,
  (key) => `{"${key}":{"polluted":"yes"},"${key}":{"polluted":"again"}}`,
];
const payloads = keys.flatMap((key) =>
  shapes.map((shape) => ({ key: JSON.parse(`"${key}"`) as string, text: shape(key) })),
);

let world: TestFleet;
let connection: Http2Connection;
let names = 0;
beforeAll(async () => {
  world = await startTestFleet();
  connection = new Http2Connection(world.fleet.controlPlane);
  await connection.send(definitions, post(JSON.stringify(boxDefinition)));
});
afterAll(async () => {
  connection[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

describe(`SEC-34: ${payloads.length} payloads through every way to write`, () => {
  const untouched = prototypes();
  for (const { key, text } of payloads) {
    test(text, async () => {
      for (const [path, request] of writes(key, text)) {
        const { code } = await connection.send(path, request);
        expect(code, `${request.method} ${path} ${String(request.body).slice(0, 200)}`).toBeLessThan(500);
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
        expect(([] as unknown as Record<string, unknown>)["polluted"]).toBeUndefined();
      }
      expect(prototypes()).toEqual(untouched);
    });
  }
});

describe("SEC-34: keys that look like a prototype are data", () => {
  test.each(keys)("a spec with %s is served as it was written", async (key) => {
    const spec = `{"${JSON.parse(`"${key}"`)}":{"polluted":"yes"}}`;
    const name = `kept-${++names}`;
    expect((await connection.send(boxes, post(box(name, spec)))).text).toContain(`"spec":${spec}`);
    await connection.send(`${boxes}/${name}`, patch("merge-patch+json", `{"metadata":{"labels":{"a":"b"}}}`));
    expect((await connection.send(`${boxes}/${name}`)).text).toContain(`"spec":${spec}`);
  });

  test.each(["labels", "annotations"])("%s called __proto__ are kept or refused, never lost", async (field) => {
    const metadata = `"metadata":{"name":"proto-${field}","${field}":{"__proto__":"x"}}`;
    const { code, text } = await connection.send(cms, post(`{"apiVersion":"v1","kind":"ConfigMap",${metadata}}`));
    if (code === 201) expect(text).toContain(`"${field}":{"__proto__":"x"}`);
    else expect([code, JSON.parse(text).reason]).toEqual([422, "Invalid"]);
  });

  test("data called __proto__ survives every patch", async () => {
    const path = `${cms}/proto-data`;
    await connection.send(
      cms,
      post('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"proto-data"},"data":{"__proto__":"1"}}'),
    );
    for (const [type, body, value] of [
      ["merge-patch+json", '{"data":{"__proto__":"2"}}', "2"],
      ["strategic-merge-patch+json", '{"data":{"__proto__":"3"}}', "3"],
      ["json-patch+json", '[{"op":"replace","path":"/data/__proto__","value":"4"}]', "4"],
      ["merge-patch+json", '{"data":{"other":"x"}}', "4"],
    ] as const) {
      const { text } = await connection.send(path, patch(type, body));
      expect(text).toContain(`"__proto__":"${value}"`);
    }
    const { text } = await connection.send(path, patch("merge-patch+json", '{"data":{"__proto__":null}}'));
    expect(text).not.toContain('"__proto__":"');
  });
});

function writes(key: string, text: string): readonly (readonly [path: string, request: Http2Request])[] {
  const name = `p${++names}`;
  const at = `${boxes}/${name}`;
  const pointer = `/spec/${key}`;
  const encoded = encodeURIComponent(key);
  const yaml = { "content-type": "application/yaml" };
  const configMap = `"apiVersion":"v1","kind":"ConfigMap"`;
  return [
    [boxes, post(box(name, text))],
    [boxes, { ...post(box(`${name}-yaml`, text)), headers: yaml }],
    [
      boxes,
      {
        ...post(`apiVersion: example.com/v1\nkind: Box\nmetadata: {name: ${name}-block}\nspec:\n  ${key}: ${text}\n`),
        headers: yaml,
      },
    ],
    [`${boxes}?dryRun=All`, post(box(`${name}-dry`, text))],
    [at, { method: "PUT", body: box(name, `{"again":${text}}`, '"resourceVersion":"1",') }],
    [at, patch("merge-patch+json", `{"spec":${text},"metadata":{"annotations":{"${key}":"x"}}}`)],
    [at, patch("merge-patch+json", text)],
    [at, patch("json-patch+json", `[{"op":"add","path":"${pointer}","value":${text}}]`)],
    [at, patch("json-patch+json", `[{"op":"add","path":"${pointer}/polluted","value":"yes"}]`)],
    [
      at,
      patch(
        "json-patch+json",
        `[{"op":"copy","from":"/spec","path":"${pointer}"},{"op":"move","from":"${pointer}","path":"/spec/moved"}]`,
      ),
    ],
    [at, patch("json-patch+json", `[{"op":"add","path":"/${key}/polluted","value":"yes"}]`)],
    [at, patch("json-patch+json", `[{"op":"remove","path":"${pointer}"}]`)],
    [`${at}?fieldManager=evil&force=true`, patch("apply-patch+yaml", box(name, text))],
    [`${at}?fieldManager=${encoded}&force=true`, patch("apply-patch+yaml", box(name, `{"other":${text}}`))],
    [`${at}/status`, patch("merge-patch+json", `{"status":${text}}`)],
    [
      cms,
      post(
        `{${configMap},"metadata":{"name":"${name}","labels":{"${key}":"x"},"annotations":{"${key}":"y"}},"data":{"${key}":"x"}}`,
      ),
    ],
    [
      `${cms}/${name}`,
      patch("strategic-merge-patch+json", `{"data":${text},"metadata":{"annotations":{"${key}":"x"}}}`),
    ],
    [
      `${cms}/${name}`,
      patch(
        "strategic-merge-patch+json",
        `{"data":{"${key}":"z","$patch":"merge"},"$setElementOrder/${key}":["a"],"$retainKeys":["${key}"]}`,
      ),
    ],
    [deployments, post(deployment(name, key))],
    [
      `${deployments}/${name}`,
      patch(
        "strategic-merge-patch+json",
        `{"spec":{"template":{"metadata":{"labels":${text}},"spec":{"nodeSelector":{"${key}":"x"},"containers":[{"name":"${key}","env":[${text}]}]}}}}`,
      ),
    ],
    [`${deployments}/${name}/scale`, patch("merge-patch+json", text)],
    [definitions, post(definition(name, key))],
    [
      cms,
      { ...post(protobufConfigMap(name, key)), headers: { "content-type": "application/vnd.kubernetes.protobuf" } },
    ],
    [`${cms}?labelSelector=${encoded}%3Dx&fieldSelector=${encoded}%3Dx&${encoded}=x`, {}],
    [
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      { ...post(text), headers: { "impersonate-user": "a", [`impersonate-extra-${key.toLowerCase()}`]: "polluted" } },
    ],
    [`${cms}/${name}`, { method: "DELETE", body: `{"preconditions":${text}}` }],
  ];
}

function post(body: string | Buffer): Http2Request {
  return { method: "POST", body };
}

function patch(type: string, body: string): Http2Request {
  return { method: "PATCH", body, headers: { "content-type": `application/${type}` } };
}

function box(name: string, spec: string, more = ""): string {
  return `{"apiVersion":"example.com/v1","kind":"Box","metadata":{${more}"name":"${name}"},"spec":${spec}}`;
}

function deployment(name: string, key: string): string {
  const labels = `{"app":"x","${key}":"x"}`;
  const container = `{"name":"a","image":"b","resources":{"limits":{"${key}":"1"}}}`;
  const template = `{"metadata":{"labels":${labels}},"spec":{"containers":[${container}],"nodeSelector":{"${key}":"x"}}}`;
  const spec = `{"selector":{"matchLabels":{"app":"x"}},"template":${template}}`;
  return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"${name}"},"spec":${spec}}`;
}

/** A kind that has a property of that name, with a default. */
function definition(name: string, key: string): string {
  const plural = `evils${name}`;
  const names = `{"plural":"${plural}","kind":"Evil${name}"}`;
  const property = `"${key}":{"type":"object","default":{},"properties":{"polluted":{"type":"string","default":"yes"}}}`;
  const schema = `{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{${property}}}}}}`;
  const version = `{"name":"v1","served":true,"storage":true,"schema":${schema}}`;
  const spec = `{"group":"evil.example.com","scope":"Cluster","names":${names},"versions":[${version}]}`;
  return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"${plural}.evil.example.com"},"spec":${spec}}`;
}

/** A ConfigMap whose label and data carry the key, in protobuf. */
function protobufConfigMap(name: string, key: string): Buffer {
  const field = (number: number, bytes: Buffer | string) => {
    const content = Buffer.from(bytes as string);
    return Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
  };
  const entry = (value: string) => Buffer.concat([field(1, key), field(2, value)]);
  const metadata = Buffer.concat([field(1, `${name}-pb`), field(11, entry("x"))]);
  const object = Buffer.concat([field(1, metadata), field(2, entry("polluted"))]);
  const type = Buffer.concat([field(1, "v1"), field(2, "ConfigMap")]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, type), field(2, object)]);
}

function prototypes(): readonly string[] {
  return [Object, Array, Function, String, Map].flatMap(({ prototype, name }) =>
    Reflect.ownKeys(prototype).map((key) => `${name}.${String(key)}`),
  );
}
