import type { Dice } from "#test/world/dice.ts";
import type { Sketch } from "./random-schemas.ts";

/** Puts a fault or something unusual into a schema, somewhere. */
export function breakSchema(root: Sketch, dice: Dice, anyValue: () => unknown): void {
  const node = dice.of(nodesOf(root));
  dice.of(breaks)(node, dice, anyValue);
}

type Break = (node: Sketch, dice: Dice, anyValue: () => unknown) => void;

const set =
  (keyword: string, ...values: readonly unknown[]): Break =>
  (node, dice) => {
    node[keyword] = structuredClone(dice.of(values));
  };

const breaks: readonly Break[] = [
  (node) => {
    delete node["type"];
  },
  (node) => {
    delete node["items"];
  },
  set("type", "null", "strng", "object", "array", "integer"),
  set("$ref", "#/x"),
  set("$schema", "x"),
  set("id", "x"),
  set("patternProperties", { a: { type: "string" } }, {}),
  set("definitions", { a: { type: "string" } }),
  set("dependencies", { a: ["b"] }, { a: { type: "string" } }),
  set("additionalItems", true, false, { type: "string" }),
  set("additionalProperties", { type: "string" }, false, true, {}),
  set("uniqueItems", true),
  set("x-kubernetes-list-type", "set", "map", "atomic", "foo"),
  set("x-kubernetes-list-map-keys", ["a"], ["a", "a"], ["zz"], ["a", "b"], []),
  set("x-kubernetes-map-type", "atomic", "granular", "foo"),
  set("x-kubernetes-preserve-unknown-fields", true, false),
  set("x-kubernetes-embedded-resource", true),
  set("x-kubernetes-int-or-string", true),
  set("nullable", true),
  set("pattern", "[a-", "(?=a)", "a**", "\\", "(", "a{2,1}", "\\p{Foo}"),
  set("items", { type: "string" }, [{ type: "string" }], {}, { type: "object" }),
  set(
    "anyOf",
    [{ type: "integer" }, { type: "string" }],
    [{ type: "integer" }],
    [{ title: "t" }, { description: "d" }],
  ),
  set(
    "allOf",
    [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { description: "x" }],
    [{ items: { type: "string" } }],
  ),
  set("oneOf", [{ properties: { q: { minLength: 1 } }, required: ["q"] }, { items: { maxLength: 2 } }]),
  set("not", { default: 1, nullable: true, title: "t" }, { properties: { metadata: { minLength: 1 } } }, {}),
  set("anyOf", [
    { "x-kubernetes-int-or-string": true, "x-kubernetes-list-type": "set" },
    { additionalProperties: { maxLength: 3 } },
    { additionalProperties: false },
    { properties: { metadata: { maxLength: 3 } }, "x-kubernetes-map-type": "atomic" },
    { "x-kubernetes-list-map-keys": ["a"], "x-kubernetes-preserve-unknown-fields": true },
    { "x-kubernetes-embedded-resource": true, pattern: "[a-" },
  ]),
  (node, _dice, anyValue) => {
    node["default"] = anyValue() ?? 1;
  },
  (node, _dice, anyValue) => {
    node["default"] = anyValue() ?? 1;
  },
  (node, dice) => {
    node["properties"] = {
      ...(node["properties"] as Sketch | undefined),
      metadata: structuredClone(dice.of(metadatas)),
    };
  },
  (node, dice) => {
    const field = dice.of(["kind", "apiVersion"]);
    const schema = dice.of<Sketch>([
      { type: "integer" },
      { type: "string", default: "x" },
      { type: "string", default: "" },
    ]);
    node["properties"] = { ...(node["properties"] as Sketch | undefined), [field]: { ...schema } };
  },
  set("required", ["a"], []),
  set("enum", [1, "a"], [], [null]),
  set("maximum", 1),
  set("multipleOf", 0, -1),
  set("format", "int32", "date"),
];

const metadatas: readonly Sketch[] = [
  { type: "object" },
  { type: "string" },
  { type: "object", properties: { name: { type: "string", pattern: "^a" } } },
  { type: "object", properties: { name: { type: "string", default: "x y" } } },
  { type: "object", properties: { name: { type: "string" }, generateName: { type: "string" } } },
  { type: "object", properties: { labels: { type: "object", additionalProperties: { type: "string" } } } },
  { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  { type: "object", default: { name: "a" } },
  { type: "object", description: "d", maxProperties: 3 },
];

function nodesOf(node: Sketch, found: Sketch[] = []): Sketch[] {
  found.push(node);
  const properties = (node["properties"] ?? {}) as Record<string, Sketch>; // as random-schemas.ts makes them
  for (const child of Object.values(properties)) nodesOf(child, found);
  for (const keyword of ["items", "additionalProperties", "not"]) {
    const child = node[keyword];
    if (typeof child === "object" && child !== null && !Array.isArray(child)) nodesOf(child as Sketch, found);
  }
  return found;
}
