import { expect, test } from "vitest";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { SettledParts } from "#apiserver/write/settled-parts.ts";
import { FieldSetPool } from "./apply/field-set-pool.ts";
import { customResourceTypes } from "./crd/custom-resource-type.ts";
import type { Definition } from "./crd/definition.ts";
import { Registry } from "./registry.ts";
import { ServedShapes } from "./stored-shape.ts";
import { stampRevision } from "./write/stamp-revision.ts";

const boxType = (revision: number, fields: readonly string[]) => {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: "string" }]));
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties } } };
  const definition = {
    metadata: { name: "boxes.example.com", resourceVersion: String(revision) },
    spec: {
      group: "example.com",
      names: { kind: "Box", plural: "boxes" },
      scope: "Cluster",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as unknown as Definition; // what the type is made of
  const [type] = customResourceTypes(definition, { type: "object" });
  if (type === undefined) throw new Error("the definition serves a version");
  return type;
};
const box = (revision: number, apiVersion = "example.com/v1") =>
  ({
    apiVersion,
    kind: "Box",
    metadata: { name: "a", resourceVersion: String(revision) },
    spec: { size: "big", lid: "flat" },
  }) as unknown as ApiObject;

test("an object that was written long after the definition is handed out without a look", () => {
  const type = boxType(7, ["size"]);
  const after = type.shapedAfter ?? Number.NaN;
  const shapes = new ServedShapes();
  const late = box(after + 1);
  expect(shapes.served(type, late)).toBe(late);
  expect(shapes.served(type, box(after))["spec"]).toEqual({ size: "big" });
  expect(shapes.served(type, box(after + 1, "example.com/v1beta1"))).toMatchObject({
    apiVersion: "example.com/v1",
    spec: { size: "big" },
  });
});

test("a request that was under way when its definition changed is stored as the present schema wants it, however long it took", () => {
  const before = boxType(7, ["size", "lid"]);
  const registry = new Registry([boxType(8, ["size"])]);
  const core = { fieldSets: new FieldSetPool(), registry, shapes: new ServedShapes(), settled: new SettledParts() };
  const build = stampRevision(core, before, box(1) as unknown as Draft);
  expect(build(50_000)["spec"]).toEqual({ size: "big" });
});
