import { expect, test } from "vitest";
import { parseJson } from "#base/parse-json.ts";
import { findTypeError } from "./decode-types.ts";
import type { SchemaNode } from "./schema-node.ts";

const text: SchemaNode = { type: "string" };
const texts: SchemaNode = { type: "object", additionalProperties: text };
const meta: SchemaNode = {
  title: "v1.ObjectMeta",
  type: "object",
  properties: { name: text, labels: texts, creationTimestamp: { type: "string", format: "date-time" } },
};
const port: SchemaNode = {
  title: "v1.ContainerPort",
  type: "object",
  properties: {
    containerPort: { type: "integer", format: "int32" },
    targetPort: { "x-kubernetes-int-or-string": true },
  },
};
const node: SchemaNode = {
  title: "v1.Thing",
  type: "object",
  properties: {
    kind: text,
    metadata: meta,
    data: texts,
    immutable: { type: "boolean" },
    secret: { type: "object", additionalProperties: { type: "string", format: "byte" } },
    limits: { type: "object", additionalProperties: { type: "string", format: "quantity" } },
    raw: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    ratio: { type: "number", format: "double" },
    ports: { type: "array", items: port },
    seconds: { type: "integer", format: "int64" },
  },
};

const wrongAmount = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
/** The answers of Go's decoder for the same mistakes in ConfigMaps, Secrets and Deployments. */
const cases: Record<string, string | undefined> = {
  '{"data":{"a":"b"},"ports":[{"containerPort":80,"targetPort":"http"}],"limits":{"cpu":"500m","memory":1}}': undefined,
  '{"data":null,"metadata":{"labels":null},"ports":[null],"unknown":1,"raw":[1],"seconds":9007199254740993}': undefined,
  '{"data":{"a":1}}': "json: cannot unmarshal number into Go struct field Thing.data of type string",
  '{"data":"x"}': "json: cannot unmarshal string into Go struct field Thing.data of type map[string]string",
  '{"immutable":"true"}': "json: cannot unmarshal string into Go struct field Thing.immutable of type bool",
  '{"kind":5}': "json: cannot unmarshal number into Go struct field Thing.TypeMeta.kind of type string",
  '{"metadata":"x"}': "json: cannot unmarshal string into Go struct field Thing.metadata of type v1.ObjectMeta",
  '{"metadata":{"labels":{"a":true}}}':
    "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string",
  '{"metadata":{"creationTimestamp":"abc"}}':
    'parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"',
  '{"metadata":{"creationTimestamp":"2020-13-01T00:00:00Z"}}':
    'parsing time "2020-13-01T00:00:00Z": month out of range',
  '{"metadata":{"creationTimestamp":5}}':
    "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string",
  '{"ports":{}}': "json: cannot unmarshal object into Go struct field Thing.ports of type []v1.ContainerPort",
  '{"ports":["x"]}': "json: cannot unmarshal string into Go struct field Thing.ports of type v1.ContainerPort",
  '{"ports":[{"containerPort":1.5}]}':
    "json: cannot unmarshal number 1.5 into Go struct field ContainerPort.ports.containerPort of type int32",
  '{"ports":[{"containerPort":3000000000}]}':
    "json: cannot unmarshal number 3000000000 into Go struct field ContainerPort.ports.containerPort of type int32",
  '{"ports":[{"targetPort":true}]}':
    "json: cannot unmarshal bool into Go struct field ContainerPort.ports.targetPort of type int32",
  '{"seconds":"30"}': "json: cannot unmarshal string into Go struct field Thing.seconds of type int64",
  '{"ratio":"1"}': "json: cannot unmarshal string into Go struct field Thing.ratio of type float64",
  '{"secret":{"a":"!!"}}': "illegal base64 data at input byte 0",
  '{"secret":{"a":"YWJj="}}': "illegal base64 data at input byte 4",
  '{"secret":{"a":5}}': "json: cannot unmarshal number into Go struct field Thing.secret of type []uint8",
  '{"limits":{"cpu":"abc"}}': wrongAmount,
  '{"limits":{"cpu":true}}': wrongAmount,
  '{"limits":{"cpu":"1e"}}': "unable to parse quantity's suffix",
  '{"limits":{"cpu":"5Mi1"}}': "unable to parse quantity's suffix",
  "[1]": "json: cannot unmarshal array into Go value of type v1.Thing",
};
for (const [body, says] of Object.entries(cases)) {
  test(`${body} ${says === undefined ? "is decoded" : "is refused"}`, () => {
    expect(findTypeError(parseJson(body).value, node, "Thing")).toBe(says);
  });
}

test("without names of Go structs the kind stands in", () => {
  const untitled: SchemaNode = {
    type: "object",
    properties: { spec: { type: "object", properties: { replicas: { type: "integer" } } } },
  };
  expect(findTypeError({ spec: { replicas: "x" } }, untitled, "Deployment")).toBe(
    "json: cannot unmarshal string into Go struct field Deployment.spec.replicas of type int64",
  );
});
