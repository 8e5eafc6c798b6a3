import { expect, test } from "vitest";
import * as s from "./schema.ts";

const Selector = s.object(
  {
    kind: s.string({ doc: "What is selected." }),
    name: s.optional(s.string({ doc: "Which one.", maxLength: 63 })),
  },
  { doc: "Selects." },
);
const Spec = s.object(
  {
    selectors: s.list(Selector, { doc: "All selectors.", minItems: 1, listType: "map", keys: ["kind"] }),
    priority: s.defaulted(s.int32({ doc: "Highest wins.", minimum: 0 }), 0),
    mode: s.defaulted(s.oneOf(["Abort", "Overwrite"], { doc: "What to do." }), "Abort"),
    labels: s.optional(s.stringMap({ doc: "Labels." })),
    amount: s.optional(s.quantity({ doc: "How much." })),
  },
  { doc: "The spec." },
);
type Spec = s.Read<typeof Spec>;
type SpecInput = s.Write<typeof Spec>;

test("a declaration is the structural schema that is published", () => {
  expect(Spec.node).toEqual({
    description: "The spec.",
    type: "object",
    required: ["selectors"],
    properties: {
      selectors: {
        description: "All selectors.",
        type: "array",
        minItems: 1,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["kind"],
        items: {
          description: "Selects.",
          type: "object",
          required: ["kind"],
          properties: {
            kind: { description: "What is selected.", type: "string" },
            name: { description: "Which one.", type: "string", maxLength: 63 },
          },
        },
      },
      priority: { description: "Highest wins.", type: "integer", format: "int32", minimum: 0, default: 0 },
      mode: { description: "What to do.", type: "string", enum: ["Abort", "Overwrite"], default: "Abort" },
      labels: { description: "Labels.", type: "object", additionalProperties: { type: "string" } },
      amount: {
        description: "How much.",
        anyOf: [{ type: "integer" }, { type: "string" }],
        pattern: expect.stringContaining("[KMGTPE]i"),
        "x-kubernetes-int-or-string": true,
      },
    },
  });
});

test("the compiler tells what may be written from what is read", () => {
  const written: SpecInput = { selectors: [{ kind: "Deployment" }] };
  const read: Spec = { selectors: [{ kind: "Deployment", name: "web" }], priority: 0, mode: "Overwrite" };
  // @ts-expect-error defaults are there when read
  const withoutDefaults: Spec = { selectors: [{ kind: "Deployment" }] };
  // @ts-expect-error a required field is required both ways
  const withoutRequired: SpecInput = {};
  // @ts-expect-error an enumeration is closed
  const outside: SpecInput = { selectors: [], mode: "Maybe" };
  // @ts-expect-error what was read is not changed
  read.priority = 3;
  const priority: number = read.priority;
  const name: string | undefined = read.selectors[0]?.name;
  expect([written, withoutDefaults, withoutRequired, outside, priority, name]).toHaveLength(6);
});

test("a default that its schema does not allow does not compile", () => {
  // @ts-expect-error the default must be one of the choices
  const field = s.defaulted(s.oneOf(["a", "b"], { doc: "Letter." }), "c");
  expect(field.defaulted.node.default).toBe("c");
});

test("what may be a number or a string is marked as such", () => {
  const { node } = s.intOrString({ doc: "A port." });
  expect(node).toMatchObject({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] });
});

test("a described type keeps its schema and its types", () => {
  const described = s.described(Selector, "The one to use here.");
  const value: s.Read<typeof described> = { kind: "Pod" };
  expect(described.node).toEqual({ ...Selector.node, description: "The one to use here." });
  expect(value.kind).toBe("Pod");
});
