import type { FieldError } from "#base/field-error.ts";
import { isJsonObject, jsonEquals, member, RawNumber } from "#base/json.ts";
import { additionalOf, propertyOf } from "./child-node.ts";
import { correlateItems, isUnchanged } from "./correlate.ts";
import { FieldPath } from "./field-path.ts";
import { jsonTypeOf } from "./json-type.ts";
import { findDuplicates } from "./list-items.ts";
import type { PatternCache } from "./pattern-cache.ts";
import type { SchemaNode } from "./schema-node.ts";
import { findFormatError, knowsFormat } from "./string-formats.ts";
import { findNumberErrors } from "./validate-number.ts";
import { findEnumError, findStringError, findTypeMismatch, type WalkMode } from "./validate-scalar.ts";

/** No old value: this part of the object is new, or cannot be told apart from its neighbours. */
const nothingOld = Symbol("nothing old");

/**
 * One validation of one value. Follows the order in which kube-openapi runs its checks, and counts passed checks as it
 * does, because the count decides which alternative of an anyOf is reported.
 */
export class ValidationWalk {
  readonly errors: FieldError[] = [];
  /** What is told already: of a hostile object there may be a fault in each of many thousand items. */
  readonly #known = new Set<string>();
  readonly duplicates: FieldError[] = [];
  #passed = 0;
  readonly #patterns: PatternCache;
  readonly #path: FieldPath;
  readonly #mode: WalkMode;

  constructor(patterns: PatternCache, path: string | FieldPath, mode: WalkMode = {}) {
    this.#patterns = patterns;
    this.#mode = mode;
    this.#path = typeof path === "string" ? new FieldPath(path) : path;
  }

  visit(value: unknown, node: SchemaNode): void {
    this.#judge(value, node, nothingOld);
  }

  visitUpdate(value: unknown, old: unknown, node: SchemaNode): void {
    this.#visit(value, node, old);
  }

  #visit(value: unknown, node: SchemaNode, old: unknown): void {
    if (old === nothingOld || !isUnchanged(value, old, node)) this.#judge(value, node, old);
  }

  #judge(value: unknown, node: SchemaNode, old: unknown): void {
    if (value === null || value === undefined) {
      this.#visitNull(node);
      return;
    }
    this.#visitType(value, node);
    this.#visitAlternatives(value, node);
    if (typeof value === "string") this.#visitString(value, node);
    else if (typeof value === "number" || value instanceof RawNumber) this.#visitNumber(value, node);
    else if (Array.isArray(value)) this.#visitItems(value, node, old);
    if (node.enum !== undefined) this.#add(findEnumError(value, node, this.#path));
    if (isJsonObject(value)) this.#visitMembers(value, node, old);
    this.#passed += 4;
  }

  #visitNull(node: SchemaNode): void {
    const mismatch =
      node.nullable === true ? undefined : findTypeMismatch({ value: null, node, path: this.#path, mode: this.#mode });
    if (mismatch === undefined) this.#passed++;
    this.#add(mismatch);
    if (node.enum !== undefined) this.#add(findEnumError(null, node, this.#path));
  }

  #visitType(value: unknown, node: SchemaNode): void {
    const takesBoth = node["x-kubernetes-int-or-string"] === true && this.#mode.isDefault !== true;
    if (node.type === undefined && !takesBoth && !(this.#mode.isDefault && node.format)) return;
    const mismatch = findTypeMismatch({ value, node, path: this.#path, mode: this.#mode });
    this.#passed += mismatch === undefined ? 2 : 1;
    this.#add(mismatch);
  }

  #visitString(value: string, node: SchemaNode): void {
    this.#passed++;
    this.#add(findStringError({ value, node, path: this.#path, patterns: this.#patterns }));
    if (node.format === undefined || !knowsFormat(node.format)) return;
    this.#passed++;
    this.#add(findFormatError(value, node.format, this.#path));
  }

  #visitNumber(value: number | RawNumber, node: SchemaNode): void {
    this.#passed += 2;
    for (const error of findNumberErrors(value, node, this.#path)) this.#add(error);
  }

  #visitItems(items: readonly unknown[], node: SchemaNode, old: unknown): void {
    this.#passed += 2;
    if (node.items !== undefined) {
      const oldItems = old === nothingOld ? undefined : correlateItems(items, old, node);
      for (let index = 0; index < items.length; index++) {
        this.#path.push(index);
        const oldItem = oldItems?.[index];
        this.#visit(items[index], node.items, oldItem === undefined ? nothingOld : oldItem);
        this.#path.pop();
      }
    }
    const where = this.#path;
    if (node.minItems !== undefined && items.length < node.minItems) {
      const detail = `${where.print()} in body should have at least ${node.minItems} items`;
      this.#add({ path: where.print(), type: "invalid", value: items.length, detail });
    }
    if (node.maxItems !== undefined && items.length > node.maxItems) this.#addTooMany(items.length, node.maxItems);
    if (node.uniqueItems === true && hasEqualItems(items)) {
      const detail = `${where.print()} in body shouldn't contain duplicates`;
      this.#add({ path: where.print(), type: "invalid", value: "", detail });
    }
    if (node["x-kubernetes-list-type"] !== undefined) this.duplicates.push(...findDuplicates(items, node, where));
  }

  #visitMembers(object: Record<string, unknown>, node: SchemaNode, old: unknown): void {
    this.#passed++;
    this.#countMembers(object, node);
    const forbidsExtra = node.additionalProperties === false;
    for (const key in object) {
      const declared = propertyOf(node, key);
      const child = declared ?? additionalOf(node);
      if (child === undefined) {
        if (forbidsExtra) this.#addForbidden(key);
        continue;
      }
      const isTypeField = this.#path.depth === 0 && (key === "apiVersion" || key === "kind");
      if (declared === undefined) this.#path.pushKey(key);
      else this.#path.push(key);
      const oldMember = isTypeField || !isJsonObject(old) ? undefined : member(old, key);
      this.#visit(object[key], child, oldMember === undefined ? nothingOld : oldMember);
      this.#path.pop();
    }
    if (node.required !== undefined) this.#requireMembers(object, node.required);
  }

  #countMembers(object: Record<string, unknown>, node: SchemaNode): void {
    if (node.minProperties === undefined && node.maxProperties === undefined) return;
    const count = Object.keys(object).length;
    if (node.minProperties !== undefined && count < node.minProperties) {
      const path = this.#path.print();
      const detail = `${path} in body should have at least ${node.minProperties} properties`;
      this.#add({ path, type: "invalid", value: count, detail });
    }
    if (node.maxProperties !== undefined && count > node.maxProperties) this.#addTooMany(count, node.maxProperties);
  }

  #requireMembers(object: Record<string, unknown>, required: readonly string[]): void {
    for (const key of required) {
      if (Object.hasOwn(object, key) && object[key] !== undefined) continue;
      this.#path.push(key);
      this.#add({ path: this.#path.print(), type: "required", detail: "" });
      this.#path.pop();
    }
  }

  /** In clauses nothing is forgiven: Kubernetes does not hand the old value down to them. */
  #visitAlternatives(value: unknown, node: SchemaNode): void {
    this.#passed += 2;
    if (node.anyOf !== undefined && node.anyOf.length > 0) this.#visitAnyOf(value, node.anyOf);
    if (node.oneOf !== undefined && node.oneOf.length > 0) this.#visitOneOf(value, node.oneOf);
    if (node.allOf !== undefined && node.allOf.length > 0) this.#visitAllOf(value, node.allOf);
    if (node.not !== undefined && this.#tryNode(value, node.not).errors.length === 0) {
      this.#addWhole(`"${this.#path.print()}" must not validate the schema (not)`);
    }
  }

  #visitAnyOf(value: unknown, nodes: readonly SchemaNode[]): void {
    let best: ValidationWalk | undefined;
    for (const node of nodes) {
      const attempt = this.#tryNode(value, node);
      if (attempt.errors.length === 0) {
        this.#passed += attempt.#passed;
        return;
      }
      if (best === undefined || attempt.#passed > best.#passed) best = attempt;
    }
    this.#addWhole(`"${this.#path.print()}" must validate at least one schema (anyOf)`);
    if (best !== undefined) this.#merge(best);
  }

  #visitOneOf(value: unknown, nodes: readonly SchemaNode[]): void {
    const attempts = nodes.map((node) => this.#tryNode(value, node));
    const valid = attempts.filter((attempt) => attempt.errors.length === 0);
    if (valid.length === 1) {
      this.#passed += valid[0]!.#passed;
      return;
    }
    const found = valid.length === 0 ? "Found none valid" : `Found ${valid.length} valid alternatives`;
    this.#addWhole(`"${this.#path.print()}" must validate one and only one schema (oneOf). ${found}`);
    if (valid.length > 0) return;
    this.#merge(attempts.reduce((best, attempt) => (attempt.#passed > best.#passed ? attempt : best)));
  }

  #visitAllOf(value: unknown, nodes: readonly SchemaNode[]): void {
    let valid = 0;
    for (const node of nodes) {
      const attempt = this.#tryNode(value, node);
      if (attempt.errors.length === 0) valid++;
      this.#merge(attempt);
    }
    if (valid === nodes.length) return;
    const remark = valid === 0 ? ". None validated" : "";
    this.#addWhole(`"${this.#path.print()}" must validate all the schemas (allOf)${remark}`);
  }

  #tryNode(value: unknown, node: SchemaNode): ValidationWalk {
    const attempt = new ValidationWalk(this.#patterns, this.#path, this.#mode);
    attempt.#judge(value, node, nothingOld);
    return attempt;
  }

  #merge(other: ValidationWalk): void {
    this.#passed += other.#passed;
    for (const error of other.errors) this.#add(error);
  }

  #addTooMany(actual: number, most: number): void {
    const detail = `must have at most ${most} ${most === 1 ? "item" : "items"}`;
    this.#add({ path: this.#path.print(), type: "tooMany", value: actual, detail });
  }

  #addForbidden(key: string): void {
    const path = this.#path.print();
    this.#add({ path, type: "invalid", value: key, detail: `${path}.${key} in body is a forbidden property` });
  }

  /** A finding that Kubernetes reports for the whole object. */
  #addWhole(detail: string): void {
    this.#add({ path: "", type: "invalid", value: "", detail });
  }

  #add(error: FieldError | undefined): void {
    if (error === undefined) return;
    if (error.path.startsWith("."))
      this.#add({ ...error, path: error.path.slice(1) }); // of a map at the root, whose details have the dot
    else this.#addNew(error);
  }

  #addNew(error: FieldError): void {
    const text = `${error.type} ${error.path} ${error.detail}`;
    if (this.#known.has(text)) return;
    this.#known.add(text);
    this.errors.push(error);
  }
}

function hasEqualItems(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = `${jsonTypeOf(item)} ${JSON.stringify(item)}`;
    if (seen.has(key) || (typeof item === "object" && items.slice(0, index).some((other) => jsonEquals(other, item)))) {
      return true;
    }
    seen.add(key);
  }
  return false;
}
