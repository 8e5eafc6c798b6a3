import { additionalOf, propertyOf } from "#schema/child-node.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import type { Dice } from "#test/world/dice.ts";

type Members = Record<string, unknown>;

const oddTexts = [
  "",
  "A_B",
  "a b",
  "UPPER",
  "-a",
  "1",
  "0",
  "abc.def",
  "127.0.0.1",
  "100Gi",
  "-5",
  "*",
  "kubernetes.io/x",
  "é\u0007",
  "a/b/c",
  "a".repeat(70),
  "a".repeat(300),
  "Never",
  "Always",
  "RollingUpdate",
  "10.0.0.0/8",
  "50%",
  "<b>&",
  "..",
];
const oddNumbers = [-1, 0, 1, 65_536, 2_147_483_648, 1e20, 1.5, 30];
const oddValues: readonly unknown[] = [null, "odd", 7, true, [], {}, ["a"], { a: 1 }, 1.5, [null], [{}]];

/** Puts faults and unusual values into an object, in place, as somebody who types YAML might. */
export class Mutator {
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** A copy with one to three changes. */
  mutated(object: Members, schema: SchemaNode): Members {
    const copy = structuredClone(object);
    const times = 1 + this.#dice.below(3);
    for (let time = 0; time < times; time++) this.#change(copy, schema);
    return copy;
  }

  /** A copy with a value at one to three random places of the schema, however deep; what leads there is made. */
  reached(object: Members, schema: SchemaNode): Members {
    const copy = structuredClone(object);
    const times = 1 + this.#dice.below(3);
    for (let time = 0; time < times; time++) this.#reach(copy, schema, 0);
    return copy;
  }

  /** A value for a schema; right in its type most of the time. */
  value(node: SchemaNode, depth = 0): unknown {
    if (this.#dice.happens(0.08)) return structuredClone(this.#dice.of(oddValues));
    if (node.enum !== undefined && this.#dice.happens(0.7)) return this.#dice.of(node.enum);
    if (node["x-kubernetes-int-or-string"] === true) return this.#dice.of<unknown>([80, "http", "50%", -1, ""]);
    switch (node.type) {
      case "string":
        return this.#text(node);
      case "integer":
      case "number":
        return this.#dice.of(oddNumbers);
      case "boolean":
        return this.#dice.happens(0.5);
      case "array":
        return Array.from({ length: this.#dice.below(3) }, () => this.value(node.items ?? {}, depth + 1));
      default:
        return depth > 3 ? {} : this.#object(node, depth);
    }
  }

  #text(node: SchemaNode): string {
    if (node.format === "date-time" && this.#dice.happens(0.6)) return "2026-01-02T03:04:05Z";
    return this.#dice.happens(0.4) ? this.#dice.of(["a", "b", "http", "TCP"]) : this.#dice.of(oddTexts);
  }

  #object(node: SchemaNode, depth: number): Members {
    const object: Members = {};
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const rate = node.required?.includes(name) ? 0.8 : 0.25;
      if (this.#dice.happens(rate)) object[name] = this.value(child, depth + 1);
    }
    const additional = additionalOf(node);
    if (additional !== undefined && this.#dice.happens(0.6)) {
      object[this.#dice.of(["a", "b", "cpu", ...oddTexts.slice(0, 4)])] = this.value(additional, depth + 1);
    }
    return object;
  }

  /** Sets something below a holder, going on downwards most of the time. */
  #reach(holder: Members, schema: SchemaNode, depth: number): void {
    const names = Object.keys(schema.properties ?? {}).filter((name) => depth > 0 || !unreached.has(name));
    if (names.length === 0) return;
    const name = this.#dice.of(names);
    const node = propertyOf(schema, name) ?? {};
    const below = node.type === "array" ? (node.items ?? {}) : node;
    if (below.properties === undefined || this.#dice.happens(0.15)) {
      holder[name] = this.value(node, 2);
      return;
    }
    this.#reach(this.#opened(holder, name, node), below, depth + 1);
  }

  /** The object that a member holds, or holds first or last in its list; made with some of its members where there is none. */
  #opened(holder: Members, name: string, node: SchemaNode): Members {
    const made = () => this.#object(node.type === "array" ? (node.items ?? {}) : node, 2);
    const value = holder[name];
    if (node.type !== "array") {
      if (isMembers(value)) return value;
      const object = made();
      holder[name] = object;
      return object;
    }
    const list: unknown[] = Array.isArray(value) ? value : [];
    holder[name] = list;
    const first = list[0];
    if (isMembers(first) && this.#dice.happens(0.7)) return first;
    const item = made();
    list.push(item);
    return item;
  }

  #change(root: Members, schema: SchemaNode): void {
    const places = placesIn(root, schema);
    if (places.length === 0) return; // nothing is left
    const { holder, key, node } = this.#dice.of(places);
    const value = read(holder, key);
    const what = this.#dice.below(10);
    if (what < 2) remove(holder, key);
    else if (what < 3) write(holder, key, structuredClone(this.#dice.of(oddValues)));
    else if (what < 6 && node !== undefined) write(holder, key, this.value(node, 1));
    else if (Array.isArray(value)) this.#changeList(value, node);
    else if (typeof value === "object" && value !== null) this.#changeMembers(value as Members, node);
    else if (typeof value === "number") write(holder, key, this.#dice.of(oddNumbers));
    else write(holder, key, this.#dice.of(oddTexts));
  }

  #changeList(list: unknown[], node: SchemaNode | undefined): void {
    if (list.length > 0 && this.#dice.happens(0.4)) list.push(structuredClone(this.#dice.of(list)));
    else if (node?.items !== undefined) list.push(this.value(node.items, 1));
    else list.length = 0;
  }

  #changeMembers(object: Members, node: SchemaNode | undefined): void {
    if (node === undefined || this.#dice.happens(0.1)) {
      object["unknownField"] = structuredClone(this.#dice.of(oddValues));
      return;
    }
    const names = Object.keys(node.properties ?? {});
    const additional = additionalOf(node);
    if (names.length === 0 && additional === undefined) return;
    const name = names.length === 0 ? this.#dice.of(oddTexts) : this.#dice.of(names);
    object[name] = this.value(propertyOf(node, name) ?? additional ?? {}, 1);
  }
}

/** What leads to no rules of the kind. */
const unreached: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Place {
  readonly holder: Members | unknown[];
  readonly key: string | number;
  readonly node: SchemaNode | undefined;
}

/** Everything below the root but apiVersion and kind. */
function placesIn(value: unknown, node: SchemaNode | undefined, depth = 0): Place[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, key) => [
      { holder: value, key, node: node?.items },
      ...placesIn(item, node?.items, depth + 1),
    ]);
  }
  if (typeof value !== "object" || value === null) return [];
  const object = value as Members;
  return Object.keys(object).flatMap((key) => {
    if (depth === 0 && (key === "apiVersion" || key === "kind")) return [];
    const child = node === undefined ? undefined : (propertyOf(node, key) ?? additionalOf(node));
    return [{ holder: object, key, node: child }, ...placesIn(object[key], child, depth + 1)];
  });
}

function read(holder: Members | unknown[], key: string | number): unknown {
  return (holder as Members)[key]; // a list is indexed by its numbers
}

function write(holder: Members | unknown[], key: string | number, value: unknown): void {
  (holder as Members)[key] = value;
}

function remove(holder: Members | unknown[], key: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}
