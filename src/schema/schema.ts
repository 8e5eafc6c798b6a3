import type { Json, JsonObject } from "#base/json.ts";
import { amountPattern } from "./pattern-cache.ts";
import type { SchemaNode } from "./schema-node.ts";

/**
 * Schemas as declarations. Each builder returns the structural schema that is published, and the compiler reads two
 * types from it: what a client may write, and what anyone reads back once the API server has filled in defaults.
 *
 * In an object a plain field is required, `optional` may be absent both ways, `defaulted` may be absent when written and
 * is there when read.
 */
export interface Schema<Read, Write = Read> {
  readonly node: SchemaNode;
  /** Never set: carries the two types for the compiler. */
  readonly types?: { readonly read: Read; readonly write: Write };
}

export interface OptionalField<Read, Write = Read> {
  readonly optional: Schema<Read, Write>;
}

export interface DefaultedField<Read, Write = Read> {
  readonly defaulted: Schema<Read, Write>;
}

type AnySchema = Schema<unknown>;
export type Fields = Readonly<
  Record<string, AnySchema | OptionalField<unknown, unknown> | DefaultedField<unknown, unknown>>
>;

/** What is read back. */
export type Read<S> = S extends Schema<infer R, unknown> ? R : never;
/** What may be written. */
export type Write<S> = S extends Schema<unknown, infer W> ? W : never;

type Plain<T> = { [K in keyof T]: T[K] };
type ReadField<F> =
  F extends OptionalField<infer R, unknown>
    ? R
    : F extends DefaultedField<infer R, unknown>
      ? R
      : F extends Schema<infer R, unknown>
        ? R
        : never;
type WriteField<F> =
  F extends OptionalField<unknown, infer W>
    ? W
    : F extends DefaultedField<unknown, infer W>
      ? W
      : F extends Schema<unknown, infer W>
        ? W
        : never;
type Optionals<F> = { [K in keyof F]: F[K] extends OptionalField<unknown, unknown> ? K : never }[keyof F];
type Defaulteds<F> = { [K in keyof F]: F[K] extends DefaultedField<unknown, unknown> ? K : never }[keyof F];

export type ReadOf<F> = Plain<
  { readonly [K in Exclude<keyof F, Optionals<F>>]: ReadField<F[K]> } & {
    readonly [K in Optionals<F>]?: ReadField<F[K]>;
  }
>;
export type WriteOf<F> = Plain<
  { readonly [K in Exclude<keyof F, Optionals<F> | Defaulteds<F>>]: WriteField<F[K]> } & {
    readonly [K in Optionals<F> | Defaulteds<F>]?: WriteField<F[K]>;
  }
>;

/** The sentence that specifies a field: it is published, explained and printed in the reference. */
interface Doc {
  readonly doc: string;
}

/** A field that may be absent. */
export function optional<R, W>(schema: Schema<R, W>): OptionalField<R, W> {
  return { optional: schema };
}

/** A field that is filled in when it is absent and its object is there. */
export function defaulted<R, W>(schema: Schema<R, W>, value: NoInfer<W> & Json): DefaultedField<R, W> {
  return { defaulted: { node: { ...schema.node, default: value } } };
}

/** The same type in a place where it means something of its own. */
export function described<R, W>(schema: Schema<R, W>, doc: string): Schema<R, W> {
  return { node: { ...schema.node, description: doc } };
}

/** An object with declared fields. An atomic one is replaced as a whole by server-side apply. */
export function object<const F extends Fields>(
  fields: F,
  { doc, atomic }: Doc & { readonly atomic?: true },
): Schema<ReadOf<F>, WriteOf<F>> {
  const properties: Record<string, SchemaNode> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if ("optional" in field) properties[name] = field.optional.node;
    else if ("defaulted" in field) properties[name] = field.defaulted.node;
    else {
      properties[name] = field.node;
      required.push(name);
    }
  }
  return {
    node: {
      description: doc,
      type: "object",
      ...(required.length > 0 && { required }),
      properties,
      ...(atomic && { "x-kubernetes-map-type": "atomic" }),
    },
  };
}

interface ListRules extends Doc {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** `map` needs keys; without a type a list is atomic. */
  readonly listType?: "atomic" | "set" | "map";
  readonly keys?: readonly string[];
}

/** A list of one type of item. */
export function list<R, W>(item: Schema<R, W>, rules: ListRules): Schema<readonly R[], readonly W[]> {
  const { doc, minItems, maxItems, listType, keys } = rules;
  return {
    node: {
      description: doc,
      type: "array",
      items: item.node,
      ...(minItems !== undefined && { minItems }),
      ...(maxItems !== undefined && { maxItems }),
      ...(listType !== undefined && { "x-kubernetes-list-type": listType }),
      ...(keys !== undefined && { "x-kubernetes-list-map-keys": keys }),
    },
  };
}

/** A list of strings. */
export function strings(rules: ListRules): Schema<readonly string[]> {
  return list<string, string>({ node: { type: "string" } }, rules);
}

/** An object with free keys and one type of value. */
export function map<R, W>(
  value: Schema<R, W>,
  { doc }: Doc,
): Schema<Readonly<Record<string, R>>, Readonly<Record<string, W>>> {
  return { node: { description: doc, type: "object", additionalProperties: value.node } };
}

/** Free keys with string values, as labels are. */
export function stringMap(rules: Doc): Schema<Readonly<Record<string, string>>> {
  return map<string, string>({ node: { type: "string" } }, rules);
}

interface StringRules extends Doc {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** RE2 syntax, unanchored. */
  readonly pattern?: string;
}

export function string({ doc, ...rules }: StringRules): Schema<string> {
  return { node: { description: doc, type: "string", ...rules } };
}

/** One of a closed list of words. */
export function oneOf<const T extends readonly string[]>(choices: T, { doc }: Doc): Schema<T[number]> {
  return { node: { description: doc, type: "string", enum: choices } };
}

/** A time in RFC 3339 form, whole seconds. */
export function time({ doc }: Doc): Schema<string> {
  return { node: { description: doc, type: "string", format: "date-time" } };
}

interface NumberRules extends Doc {
  readonly minimum?: number;
  readonly maximum?: number;
}

export function int32({ doc, ...rules }: NumberRules): Schema<number> {
  return { node: { description: doc, type: "integer", format: "int32", ...rules } };
}

/** Values beyond 2^53 are refused by no schema; nothing we declare comes near. */
export function int64({ doc, ...rules }: NumberRules): Schema<number> {
  return { node: { description: doc, type: "integer", format: "int64", ...rules } };
}

/** A whole number of no stated width. */
export function integer({ doc, ...rules }: NumberRules): Schema<number> {
  return { node: { description: doc, type: "integer", ...rules } };
}

export function boolean({ doc }: Doc): Schema<boolean> {
  return { node: { description: doc, type: "boolean" } };
}

/** An amount: `500m`, `1Gi`, or a bare integer. */
export function quantity({ doc }: Doc): Schema<string | number> {
  return {
    node: {
      description: doc,
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern: amountPattern,
      "x-kubernetes-int-or-string": true,
    },
  };
}

/** A whole number or a string such as a percentage. */
export function intOrString({ doc }: Doc): Schema<string | number> {
  return {
    node: { description: doc, anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
  };
}

/** Any JSON value, kept as it is. */
export function json({ doc }: Doc): Schema<Json> {
  return { node: { description: doc, "x-kubernetes-preserve-unknown-fields": true } };
}

/** An object of unknown content, kept as it is. */
export function rawObject({ doc }: Doc): Schema<JsonObject> {
  return { node: { description: doc, type: "object", "x-kubernetes-preserve-unknown-fields": true } };
}
