import { type FieldError, fieldErrorMessage, invalid } from "#base/field-error.ts";
import { cloneJson, isJsonObject } from "#base/json.ts";
import { withSortedMembers } from "#base/sorted-json.ts";
import { coerceEmbedded, findEmbeddedErrors, type ResourceRules } from "./embedded-resources.ts";
import { pruneUnknown } from "./prune-fields.ts";
import { type RawSchema, rawProperties, schemaAt } from "./raw-schema.ts";
import type { SchemaNode } from "./schema-node.ts";
import { validateDefault } from "./validate-fields.ts";

/** Defaults that their own schema would not accept as they stand. Only for schemas that are structural. */
export function findDefaultErrors(schema: RawSchema, path: string, rules: ResourceRules | undefined): FieldError[] {
  const root = asResource(schema);
  return new DefaultsWalk(rules).visit(root, path, { root, surround: withTypeMeta });
}

const embedded = "x-kubernetes-embedded-resource";

/** The innermost resource that a schema is part of. */
interface Inside {
  readonly root: RawSchema;
  /** That resource, as small as can be, around a value in this place. */
  readonly surround: (value: unknown) => Record<string, unknown>;
  /** Below apiVersion, kind or metadata of it. */
  readonly isMeta?: true;
}

class DefaultsWalk {
  readonly #rules: ResourceRules | undefined;

  constructor(rules: ResourceRules | undefined) {
    this.#rules = rules;
  }

  visit(schema: RawSchema, path: string, around: Inside): FieldError[] {
    const inside: Inside = schema[embedded] === true ? { root: schema, surround: withTypeMeta } : around;
    const errors = this.#own(schema, `${path}.default`, inside);
    const items = schemaAt(schema, "items");
    if (items !== undefined) {
      const below = { ...inside, surround: (value: unknown) => inside.surround([value]) };
      errors.push(...this.visit(items, `${path}.items`, below));
    }
    for (const [name, child] of rawProperties(schema)) {
      const isMeta = schema[embedded] === true && ["metadata", "apiVersion", "kind"].includes(name);
      const below = { ...inside, surround: (value: unknown) => inside.surround({ [name]: value }) };
      errors.push(...this.visit(child, `${path}.properties[${name}]`, isMeta ? { ...below, isMeta } : below));
    }
    return errors;
  }

  #own(schema: RawSchema, place: string, inside: Inside): FieldError[] {
    const value = schema["default"];
    if (value === undefined || value === null) return [];
    const node = schema as SchemaNode; // structural: checked before
    if (inside.isMeta) return this.#metaErrors(value, inside, place) ?? valueErrors(value, node, place);
    const root = schema[embedded] === true ? "resource" : "value";
    const draft = cloneJson(value);
    const unknown = pruneUnknown(cloneJson(value), node, { onUnknown: "keep", root });
    const pruned =
      unknown.length === 0 ? [] : [invalid(place, withSortedMembers(value), "must not have unknown fields")];
    if (this.#rules === undefined) return [...pruned, ...valueErrors(value, node, place)];
    const options = { rules: this.#rules, path: place };
    const misshapen = coerceEmbedded(draft, node, options);
    if (misshapen !== undefined) return [...pruned, misshapen];
    const found = findEmbeddedErrors(draft, node, options);
    return [...pruned, ...(found.length > 0 ? found : valueErrors(draft, node, place))];
  }

  /** Of a default within metadata; undefined where nothing is wrong. */
  #metaErrors(value: unknown, { root, surround }: Inside, place: string): FieldError[] | undefined {
    if (this.#rules === undefined) return undefined;
    const object = surround(cloneJson(value));
    const options = { rules: this.#rules };
    const node = asResource(root) as SchemaNode; // structural: checked before
    const misshapen = coerceEmbedded(object, node, options);
    const found = misshapen === undefined ? findEmbeddedErrors(object, node, options) : [misshapen];
    if (found.length === 0) return undefined;
    const texts = [...new Set(found.map(fieldErrorMessage))];
    const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
    return [invalid(place, withSortedMembers(value), `must result in valid metadata: ${list}`)];
  }
}

/** The path of a finding in a default starts at the default, in its words it does not. */
function valueErrors(value: unknown, node: SchemaNode, place: string): FieldError[] {
  return validateDefault(value, node).map((error) => ({
    ...error,
    path: error.path === "" ? place : `${place}.${error.path}`,
  }));
}

function asResource(schema: RawSchema): RawSchema {
  return schema[embedded] === true ? schema : { ...schema, [embedded]: true };
}

function withTypeMeta(value: unknown): Record<string, unknown> {
  return { kind: "Validation", apiVersion: "validation/v1", ...(isJsonObject(value) ? value : {}) };
}
