import type { Dice } from "#test/world/dice.ts";
import { memberNames, type Sketch } from "./random-schemas.ts";

const texts = [
  "",
  "a",
  "ab",
  "abc",
  "zzzz",
  "2020-01-01T00:00:00Z",
  "1.2.3.4",
  "é",
  "日本語",
  "1h",
  "aGk=",
  "2020-01-01",
];
const numbers = [-5, -1, 0, 1, 2, 3, 4, 6, 9, 10, 11, 1.5, 3_000_000_000, 2.25];
const odd = [null, "odd", 7, true, [], {}, ["a"], { a: 1 }];

/** Random values for schemas: most of them near to what is asked for, some of a wrong type. */
export class ValueSource {
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** Anything. */
  any(depth: number): unknown {
    if (depth > 2 || this.#dice.happens(0.6)) {
      return this.#dice.of<unknown>([this.#dice.of(numbers), this.#dice.of(texts), this.#dice.happens(0.5), null]);
    }
    if (this.#dice.happens(0.5)) return this.#list(() => this.any(depth + 1));
    return this.#members(memberNames, 0.4, () => this.any(depth + 1));
  }

  /** What the schema asks for, more or less. */
  of(schema: Sketch): unknown {
    if (this.#dice.happens(0.06)) return structuredClone(this.#dice.of<unknown>(odd));
    if (schema["nullable"] === true && this.#dice.happens(0.2)) return null;
    switch (schema["type"]) {
      case "string":
        return this.#dice.of(texts);
      case "integer":
      case "number":
        return this.#dice.of(numbers);
      case "boolean":
        return this.#dice.happens(0.5);
      case "array":
        return this.#list(() => this.#item(schema));
      case "object":
        return this.#object(schema);
      default:
        return this.any(1);
    }
  }

  /** The value as somebody edits it: most of it stays. */
  edited(value: unknown, schema: Sketch | undefined): unknown {
    if (schema === undefined) return this.#dice.happens(0.2) ? this.any(2) : value;
    if (this.#dice.happens(0.06)) return this.of(schema);
    if (Array.isArray(value)) return this.#editedList(value, schema);
    if (typeof value === "object" && value !== null) return this.#editedObject(value as Sketch, schema);
    return this.#dice.happens(0.25) ? this.of(schema) : value;
  }

  #editedList(items: readonly unknown[], schema: Sketch): unknown[] {
    const child = schema["items"] as Sketch | undefined; // as random-schemas.ts makes them
    const list = items.map((item) => (this.#dice.happens(0.3) ? this.edited(item, child) : item));
    if (child !== undefined && this.#dice.happens(0.2)) list.push(this.#item(schema));
    if (this.#dice.happens(0.2)) list.reverse();
    if (this.#dice.happens(0.12)) list.pop();
    return list;
  }

  #editedObject(object: Sketch, schema: Sketch): Sketch {
    const result: Sketch = {};
    for (const [name, value] of Object.entries(object)) {
      if (this.#dice.happens(0.06)) continue;
      result[name] = this.#dice.happens(0.4) ? this.edited(value, childOf(schema, name)) : value;
    }
    for (const name of memberNames) {
      if (this.#dice.happens(0.06)) result[name] = this.#member(schema, name);
    }
    return result;
  }

  #object(schema: Sketch): Sketch {
    const object = this.#members(memberNames, 0.6, (name) => this.#member(schema, name));
    const properties = (schema["properties"] ?? {}) as Sketch;
    for (const name of ["spec", "x", "y"]) {
      if (Object.hasOwn(properties, name) && this.#dice.happens(0.8)) object[name] = this.#member(schema, name);
    }
    return schema["x-kubernetes-embedded-resource"] === true ? { ...object, ...this.#resource() } : object;
  }

  #resource(): Sketch {
    const { happens, of } = { happens: (rate: number) => this.#dice.happens(rate), of: this.#dice };
    return {
      ...(happens(0.85) ? { apiVersion: of.of<unknown>(["v1", "v1", "apps/v1", "", "a/b/c", 1]) } : {}),
      ...(happens(0.85) ? { kind: of.of<unknown>(["Pod", "Pod", "", "po_d", null]) } : {}),
      ...(happens(0.5) ? { metadata: of.of(metadatas) } : {}),
    };
  }

  #member(schema: Sketch, name: string): unknown {
    const child = childOf(schema, name);
    return child === undefined ? this.any(2) : this.of(child);
  }

  #item(schema: Sketch): unknown {
    const item = this.of((schema["items"] ?? {}) as Sketch);
    if (schema["x-kubernetes-list-type"] !== "map" || this.#dice.happens(0.1)) return item;
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return { ...item, a: this.#dice.of(["p", "q"]), b: this.#dice.of([1, 2]) };
  }

  #list(make: () => unknown): unknown[] {
    return Array.from({ length: this.#dice.below(4) }, make);
  }

  #members(names: readonly string[], rate: number, make: (name: string) => unknown): Sketch {
    const chosen = names.filter(() => this.#dice.happens(rate));
    return Object.fromEntries(chosen.map((name) => [name, make(name)]));
  }
}

const metadatas: readonly unknown[] = [
  { name: "a" },
  { name: "a", namespace: "b", labels: { k: "v" } },
  { name: "A_b" },
  { name: "a/b" },
  { labels: { "a b": "v" } },
  { annotations: { k: 1 } },
  { unknown: 1 },
  "none",
];

function childOf(schema: Sketch, name: string): Sketch | undefined {
  const properties = (schema["properties"] ?? {}) as Sketch; // as random-schemas.ts makes them
  const additional = schema["additionalProperties"];
  if (Object.hasOwn(properties, name)) return properties[name] as Sketch;
  return typeof additional === "object" && additional !== null ? (additional as Sketch) : undefined;
}
