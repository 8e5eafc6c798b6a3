import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "#base/parse-json.ts";
import { findDataDirectory } from "#builtin/data-directory.ts";
import { loadMessageTable } from "#builtin/load-schemas.ts";
import { decodeProtobuf } from "./decode.ts";
import { ProtobufError } from "./protobuf-error.ts";

interface Fixture {
  readonly kind: string;
  readonly protobuf: string;
  readonly json: unknown;
}

const table = loadMessageTable(findDataDirectory());
const text = readFileSync(new URL("../fixtures/protobuf-objects.json", import.meta.url), "utf8");
// Our own fixture; parseJson keeps the spelling of numbers as the decoder does.
const fixtures = parseJson(text).value as readonly Fixture[];

function bytesOf(fixture: Fixture): Buffer {
  return Buffer.from(fixture.protobuf, "base64");
}

describe("bytes that Kubernetes wrote give the JSON that it prints", () => {
  test.each(fixtures.map((fixture, index) => [`${fixture.kind} #${index}`, fixture] as const))("%s", (_, fixture) => {
    expect(decodeProtobuf(table, bytesOf(fixture))).toEqual(fixture.json);
  });

  test("every served kind is among them", () => {
    expect(new Set(fixtures.map((fixture) => fixture.kind)).size).toBeGreaterThan(60);
  });
});

/** The wire form of a field that holds bytes. */
function stretch(field: number, content: Uint8Array): Buffer {
  const length: number[] = [];
  let rest = content.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([field * 8 + 2, ...length, rest]), content]);
}

function enveloped(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  const typeMeta = Buffer.concat([stretch(1, Buffer.from(apiVersion)), stretch(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from("k8s\0"), stretch(1, typeMeta), stretch(2, raw)]);
}

function refusal(bytes: Uint8Array): ProtobufError["why"] | undefined {
  try {
    decodeProtobuf(table, bytes);
    return undefined;
  } catch (error) {
    if (error instanceof ProtobufError) return error.why;
    throw error;
  }
}

describe("what cannot be read is refused by name", () => {
  const rows: Record<string, { bytes: Buffer; why: ProtobufError["why"] }> = {
    "no bytes at all": { bytes: Buffer.alloc(0), why: "malformed" },
    "JSON under the wrong content type": { bytes: Buffer.from('{"kind":"Pod"}'), why: "malformed" },
    "a custom resource": { bytes: enveloped("ex.io/v1", "Foo", Buffer.alloc(0)), why: "unknownKind" },
    "a kind of another group": { bytes: enveloped("v1", "Deployment", Buffer.alloc(0)), why: "unknownKind" },
    "a kind named like something of Object.prototype": {
      bytes: enveloped("v1", "constructor", Buffer.alloc(0)),
      why: "unknownKind",
    },
    "an envelope that says nothing": { bytes: Buffer.from("k8s\0"), why: "unknownKind" },
    "a length beyond the end": { bytes: enveloped("v1", "Pod", Buffer.from([0x0a, 0x7f])), why: "malformed" },
    "a string sent as a number": { bytes: enveloped("v1", "Secret", Buffer.from([0x18, 1])), why: "malformed" },
    "an endless varint": { bytes: enveloped("v1", "Pod", Buffer.alloc(20, 0xff)), why: "malformed" },
    "field number zero": { bytes: enveloped("v1", "Pod", Buffer.from([0x02, 0])), why: "malformed" },
    "an unclosed group": { bytes: enveloped("v1", "Pod", Buffer.from([0x7b, 0x7b])), why: "malformed" },
    "millions of empty messages": {
      bytes: enveloped("v1", "PodTemplate", stretch(2, stretch(2, Buffer.alloc(600_000).fill(Buffer.from([0x12, 0]))))),
      why: "tooLarge",
    },
    "a raw field that is not JSON": {
      bytes: enveloped("apps/v1", "ControllerRevision", stretch(2, stretch(1, Buffer.from("{")))),
      why: "malformed",
    },
  };
  test.each(Object.entries(rows))("%s", (_, { bytes, why }) => {
    expect(refusal(bytes)).toBe(why);
  });

  test("a message nested deeper than JSON may be", () => {
    const selfNested = (depth: number): Buffer => {
      let bytes = Buffer.alloc(0);
      for (let i = 0; i < depth; i++) bytes = Buffer.concat([Buffer.from([0xca, 0x01]), lengthOf(bytes), bytes]);
      return bytes;
    };
    const version = (schema: Buffer) => stretch(7, stretch(4, stretch(1, schema)));
    const crd = (depth: number) =>
      enveloped("apiextensions.k8s.io/v1", "CustomResourceDefinition", stretch(2, version(selfNested(depth))));
    expect(refusal(crd(100))).toBeUndefined();
    expect(refusal(crd(1000))).toBe("tooLarge");
  });
});

function lengthOf(bytes: Uint8Array): Buffer {
  return stretch(1, bytes).subarray(1, stretch(1, bytes).length - bytes.length);
}

describe("hostile bytes never cause anything but a ProtobufError", () => {
  test("any prefix of a real body", () => {
    for (const fixture of fixtures.slice(0, 60)) {
      const bytes = bytesOf(fixture);
      for (let end = 0; end < bytes.length; end += 1 + Math.trunc(bytes.length / 50)) refusal(bytes.subarray(0, end));
    }
  });

  test("a real body with some bytes changed", () => {
    const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), to: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtures),
        fc.array(change, { minLength: 1, maxLength: 5 }),
        (fixture, changes) => {
          const bytes = bytesOf(fixture);
          for (const { at, to } of changes) bytes[Math.trunc(at * (bytes.length - 1))] = to;
          refusal(bytes);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("any bytes in an envelope", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        refusal(enveloped("v1", "Pod", bytes));
        refusal(enveloped("apiextensions.k8s.io/v1", "CustomResourceDefinition", bytes));
      }),
      { numRuns: 2000 },
    );
  });
});

test("the endpoint says what an object without a type is", () => {
  const bytes = Buffer.concat([Buffer.from("k8s\0"), stretch(2, stretch(1, stretch(1, Buffer.from("shop"))))]);
  expect(decodeProtobuf(table, bytes, { defaultKind: { apiVersion: "v1", kind: "Namespace" } })).toEqual({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "shop" },
    spec: {},
    status: {},
  });
});

test("unknown fields are passed over and parts of one message are joined", () => {
  const metadata = [stretch(1, stretch(1, Buffer.from("shop"))), stretch(1, stretch(3, Buffer.from("n")))];
  const raw = Buffer.concat([Buffer.from([0xf8, 0x3f, 5]), ...metadata, stretch(15, Buffer.from("?"))]);
  expect(decodeProtobuf(table, enveloped("v1", "ConfigMap", raw))).toEqual({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "shop", namespace: "n" },
  });
});

test("keys of free-form maps cannot reach a prototype", () => {
  const entry = Buffer.concat([stretch(1, Buffer.from("__proto__")), stretch(2, Buffer.from("x"))]);
  const object = decodeProtobuf(table, enveloped("v1", "ConfigMap", stretch(2, entry)));
  expect(Object.hasOwn(object["data"] as object, "__proto__")).toBe(true);
  expect(Object.getPrototypeOf(object["data"])).toBe(Object.prototype);
});
