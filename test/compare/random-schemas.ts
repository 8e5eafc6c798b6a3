import type { Dice } from "#test/world/dice.ts";

/** A schema as JSON, right or wrong. */
export type Sketch = Record<string, unknown>;

/** Names of members; one is also a name that every JavaScript object inherits. */
export const memberNames = ["a", "b", "c", "constructor"] as const;

/** Random structural schemas with everything that a definition may say. */
export class SchemaSource {
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** The schema of a whole custom resource. */
  root(): Sketch {
    const root: Sketch = { type: "object", properties: { spec: this.any(0), x: this.any(1), y: this.any(2) } };
    if (this.#dice.happens(0.1)) this.#limitObject(root);
    if (this.#dice.happens(0.1)) this.#combine(root, 0);
    return root;
  }

  any(depth: number): Sketch {
    const kinds = depth > 3 ? this.#leaves : [...this.#leaves, ...this.#branches, ...this.#branches];
    const node = this.#dice.of(kinds)(depth);
    if (this.#dice.happens(0.12)) node["nullable"] = true;
    return node;
  }

  readonly #leaves: readonly ((depth: number) => Sketch)[] = [
    () => {
      const node: Sketch = { type: "string" };
      this.#maybe(node, "format", 0.3, () => this.#dice.of(stringFormats));
      this.#maybe(node, "enum", 0.2, () => ["a", "b"]);
      this.#limitString(node);
      return this.#combine(node, 0);
    },
    () => {
      const node: Sketch = { type: "integer" };
      this.#maybe(node, "format", 0.3, () => this.#dice.of(["int32", "int64", "double", "foo"]));
      this.#maybe(node, "enum", 0.15, () => [1, 2]);
      this.#limitNumber(node);
      return this.#combine(node, 0);
    },
    () => {
      const node: Sketch = { type: "number" };
      this.#maybe(node, "format", 0.3, () => this.#dice.of(["float", "double", "int32"]));
      this.#limitNumber(node);
      return node;
    },
    () => this.#combine({ type: "boolean" }, 0),
    () => {
      const node: Sketch = { "x-kubernetes-int-or-string": true };
      this.#maybe(node, "pattern", 0.3, () => "^a");
      this.#maybe(node, "maximum", 0.2, () => 3);
      this.#maybe(node, "anyOf", 0.2, () => [{ type: "integer" }, { type: "string" }]);
      return node;
    },
    () => ({ "x-kubernetes-preserve-unknown-fields": true }),
  ];

  readonly #branches: readonly ((depth: number) => Sketch)[] = [
    (depth) => this.#combine(this.#limitObject({ type: "object", properties: this.#properties(depth) }), 0),
    (depth) => {
      const node: Sketch = { type: "object", properties: this.#properties(depth) };
      node["x-kubernetes-preserve-unknown-fields"] = true;
      return node;
    },
    (depth) => {
      const node: Sketch = { type: "object", "x-kubernetes-embedded-resource": true };
      node["properties"] = this.#properties(depth);
      this.#maybe(node, "x-kubernetes-preserve-unknown-fields", 0.5, () => true);
      return node;
    },
    (depth) => {
      const additional = this.#dice.happens(0.85) ? this.any(depth + 1) : true;
      const node = this.#limitObject({ type: "object", additionalProperties: additional });
      this.#maybe(node, "x-kubernetes-map-type", 0.2, () => this.#dice.of(["atomic", "granular"]));
      return this.#combine(node, 0);
    },
    (depth) => {
      const node = this.#limitList({ type: "array", items: this.any(depth + 1) });
      this.#maybe(node, "x-kubernetes-list-type", 0.3, () => "atomic");
      return this.#combine(node, 0);
    },
    () => {
      const item = this.any(4);
      delete item["nullable"];
      return this.#limitList({ type: "array", "x-kubernetes-list-type": "set", items: item });
    },
    (depth) => this.#limitList(this.#mapList(depth)),
    (depth) => this.#limitList(this.#mapList(depth)),
  ];

  #mapList(depth: number): Sketch {
    const keys = this.#dice.of([["a"], ["a", "b"]]);
    const properties = { ...this.#properties(depth), a: { type: "string" }, b: { type: "integer", default: 3 } };
    const items: Sketch = { type: "object", properties, required: ["a"] };
    if (this.#dice.happens(0.2)) items["x-kubernetes-preserve-unknown-fields"] = true;
    return { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, items };
  }

  #properties(depth: number): Sketch {
    const properties: Sketch = {};
    for (const name of memberNames) if (this.#dice.happens(0.5)) properties[name] = this.any(depth + 1);
    return properties;
  }

  #limitNumber(node: Sketch): Sketch {
    this.#maybe(node, "maximum", 0.25, () => this.#dice.of([3, 10, 2.5]));
    this.#maybe(node, "minimum", 0.25, () => this.#dice.of([0, 2, 0.5]));
    this.#maybe(node, "exclusiveMaximum", 0.2, () => true);
    this.#maybe(node, "exclusiveMinimum", 0.2, () => true);
    this.#maybe(node, "multipleOf", 0.15, () => this.#dice.of([2, 3, 0.5]));
    return node;
  }

  #limitString(node: Sketch): Sketch {
    this.#maybe(node, "minLength", 0.25, () => this.#dice.of([1, 2]));
    this.#maybe(node, "maxLength", 0.25, () => this.#dice.of([1, 2]));
    this.#maybe(node, "pattern", 0.25, () => this.#dice.of(["^a", "b$"]));
    return node;
  }

  #limitList(node: Sketch): Sketch {
    this.#maybe(node, "minItems", 0.2, () => this.#dice.of([1, 2]));
    this.#maybe(node, "maxItems", 0.2, () => this.#dice.of([1, 2]));
    return node;
  }

  #limitObject(node: Sketch): Sketch {
    this.#maybe(node, "minProperties", 0.15, () => this.#dice.of([1, 2]));
    this.#maybe(node, "maxProperties", 0.15, () => this.#dice.of([1, 2]));
    this.#maybe(node, "required", 0.3, () => (this.#dice.happens(0.5) ? [this.#dice.of(memberNames)] : ["a", "c"]));
    return node;
  }

  /** Clauses that restrict values; they declare nothing. */
  #combine(node: Sketch, depth: number): Sketch {
    this.#maybe(node, "anyOf", 0.07, () => this.#clauses(node, depth).slice(0, 1 + this.#dice.below(3)));
    this.#maybe(node, "oneOf", 0.07, () => this.#clauses(node, depth).slice(0, 2));
    this.#maybe(node, "allOf", 0.07, () => this.#clauses(node, depth).slice(0, 2));
    this.#maybe(node, "not", 0.07, () => this.#clause(node, depth));
    return node;
  }

  #clauses(node: Sketch, depth: number): Sketch[] {
    return [this.#clause(node, depth), this.#clause(node, depth), this.#clause(node, depth)];
  }

  #clause(node: Sketch, depth: number): Sketch {
    const clause: Sketch = {};
    this.#dice.of([this.#limitNumber, this.#limitString, this.#limitList, this.#limitObject]).call(this, clause);
    this.#maybe(clause, "enum", 0.15, () =>
      this.#dice.of<unknown>([
        ["a", "b"],
        [1, 2],
      ]),
    );
    const declared = node["properties"] as Sketch | undefined; // as made above
    if (declared !== undefined && this.#dice.happens(0.7)) {
      const chosen = Object.entries(declared).filter(([name]) => name !== "metadata" && this.#dice.happens(0.6));
      clause["properties"] = Object.fromEntries(
        chosen.map(([name, child]) => [name, this.#clause(child as Sketch, depth + 1)]),
      );
    }
    if (node["items"] !== undefined && this.#dice.happens(0.5)) {
      clause["items"] = this.#clause(node["items"] as Sketch, depth + 1);
    }
    return depth < 2 ? this.#combine(clause, depth + 1) : clause;
  }

  #maybe(node: Sketch, keyword: string, rate: number, make: () => unknown): void {
    if (this.#dice.happens(rate)) node[keyword] = make();
  }
}

const stringFormats = ["date-time", "ipv4", "duration", "byte", "foo", "date", "k8s-short-name", "uri", "int32"];
