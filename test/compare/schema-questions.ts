import { Dice } from "#test/world/dice.ts";
import { breakSchema } from "./broken-schemas.ts";
import { SchemaSource, type Sketch } from "./random-schemas.ts";
import { ValueSource } from "./random-values.ts";

export const schemaOps = ["validate", "update", "prune", "default", "nulls", "definition"] as const;

/** What is asked of tools/kubernetes-answers/schemas and of our own code. */
export interface SchemaQuestion {
  readonly op: (typeof schemaOps)[number];
  readonly schema: Sketch;
  readonly value?: unknown;
  readonly old?: unknown;
}

/** One random question; the same for the same seed. */
export function schemaQuestion(op: SchemaQuestion["op"], seed: number): SchemaQuestion {
  const dice = new Dice(seed);
  const values = new ValueSource(dice);
  const schema = new SchemaSource(dice).root();
  if (op === "definition") {
    const breaks = 1 + dice.below(3);
    for (let i = 0; i < breaks; i++) breakSchema(schema, dice, () => values.any(0));
    return { op, schema };
  }
  if (op === "default" || op === "nulls") addDefaults(schema, dice, values);
  const old = resource(values.of(schema));
  return op === "update"
    ? { op, schema, value: resource(values.edited(old, schema)), old }
    : { op, schema, value: old };
}

function addDefaults(schema: Sketch, dice: Dice, values: ValueSource): void {
  const properties = (schema["properties"] ?? {}) as Record<string, Sketch>; // as random-schemas.ts makes them
  const children = [...Object.values(properties), schema["items"], schema["additionalProperties"]];
  for (const child of children) {
    if (typeof child !== "object" || child === null) continue;
    const node = child as Sketch;
    const fallback = dice.happens(0.3) ? values.of(node) : null;
    if (fallback !== null) node["default"] = fallback;
    addDefaults(node, dice, values);
  }
}

/** Whatever it is: a custom resource is an object. */
function resource(value: unknown): Sketch {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Sketch) : {};
}
