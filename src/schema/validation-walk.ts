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
import { findEnumError, findNumberErrors, findStringError, findTypeMismatch } from "./validate-scalar.ts";

/** No old value: this part of the object is new, or cannot be told apart from its neighbours. */
const nothingOld = Symbol("nothing old");

/**
 * One validation of one value. Follows the order in which kube-openapi runs its checks, and counts passed checks as it
 * does, because the count decides which alternative of an anyOf is reported.
 */
export class ValidationWalk {
  readonly errors: FieldError[] = [];
  readonly duplicates: FieldError[] = [];
  #passed = 0;
  /** One of several alternatives, of which the one that got furthest is reported. */
  #isAttempt = false;
  readonly #patterns: PatternCache;
  readonly #path: FieldPath;

  constructor(patterns: PatternCache, path: string | FieldPath) {
    this.#patterns = patterns;
    this.#path = typeof path === "string" ? new FieldPath(path) : path;
  }

  visit(value: unknown, node: SchemaNode): void {
    this.#visit(value, node, nothingOld);
  }

  visitUpdate(value: unknown, old: unknown, node: SchemaNode): void {
    this.#visit(value, node, old);
  }

  #visit(value: unknown, node: SchemaNode, old: unknown): void {
    if (old !== nothingOld && isUnchanged(value, old, node)) {
      if (this.#isAttempt) this.#countUnchanged(value, node);
      return;
    }
    if (value === null || value === undefined) {
      this.#visitNull(node);
      return;
    }
    this.#visitType(value, node);
    this.#visitAlternatives(value, node, old);
    if (typeof value === "string") this.#visitString(value, node);
    else if (typeof value === "number" || value instanceof RawNumber) this.#visitNumber(value, node);
    else if (Array.isArray(value)) this.#visitItems(value, node, old);
    if (node.enum !== undefined) this.#add(findEnumError(value, node, this.#path));
    if (isJsonObject(value)) this.#visitMembers(value, node, old);
    this.#passed += 4;
  }

  /** What is forgiven counts all the same. */
  #countUnchanged(value: unknown, node: SchemaNode): void {
    const walk = new ValidationWalk(this.#patterns, this.#path);
    walk.visit(value, node);
    this.#passed += walk.#passed;
  }

  #visitNull(node: SchemaNode): void {
    const mismatch = node.nullable === true ? undefined : findTypeMismatch(null, node, this.#path);
    if (mismatch === undefined) this.#passed++;
    this.#add(mismatch);
    if (node.enum !== undefined) this.#add(findEnumError(null, node, this.#path));
  }

  #visitType(value: unknown, node: SchemaNode): void {
    if (node.type === undefined && node["x-kubernetes-int-or-string"] !== true) return;
    const mismatch = findTypeMismatch(value, node, this.#path);
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
    const oldMembers = isJsonObject(old) ? old : undefined;
    const forbidsExtra = node.additionalProperties === false;
    for (const key in object) {
      const declared = propertyOf(node, key);
      const child = declared ?? additionalOf(node);
      if (child === undefined) {
        if (forbidsExtra) this.#addForbidden(key);
        continue;
      }
      const isTypeField = this.#path.depth === 0 && (key === "apiVersion" || key === "kind");
      const oldMember = oldMembers === undefined || isTypeField ? undefined : member(oldMembers, key);
      if (declared === undefined) this.#path.pushKey(key);
      else this.#path.push(key);
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

  #visitAlternatives(value: unknown, node: SchemaNode, old: unknown): void {
    this.#passed += 2;
    if (node.anyOf !== undefined && node.anyOf.length > 0) this.#visitAnyOf(value, node.anyOf, old);
    if (node.oneOf !== undefined && node.oneOf.length > 0) this.#visitOneOf(value, node.oneOf, old);
    if (node.allOf !== undefined && node.allOf.length > 0) this.#visitAllOf(value, node.allOf, old);
    if (node.not !== undefined && this.#tryNode(value, node.not, old).errors.length === 0) {
      this.#addWhole(`"${this.#path.print()}" must not validate the schema (not)`);
    }
  }

  #visitAnyOf(value: unknown, nodes: readonly SchemaNode[], old: unknown): void {
    let best: ValidationWalk | undefined;
    for (const node of nodes) {
      const attempt = this.#tryNode(value, node, old);
      if (attempt.errors.length === 0) {
        this.#passed += attempt.#passed;
        return;
      }
      if (best === undefined || attempt.#passed > best.#passed) best = attempt;
    }
    this.#addWhole(`"${this.#path.print()}" must validate at least one schema (anyOf)`);
    if (best !== undefined) this.#merge(best);
  }

  #visitOneOf(value: unknown, nodes: readonly SchemaNode[], old: unknown): void {
    const attempts = nodes.map((node) => this.#tryNode(value, node, old));
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

  #visitAllOf(value: unknown, nodes: readonly SchemaNode[], old: unknown): void {
    let valid = 0;
    for (const node of nodes) {
      const attempt = this.#tryNode(value, node, old);
      if (attempt.errors.length === 0) valid++;
      this.#merge(attempt);
    }
    if (valid === nodes.length) return;
    const remark = valid === 0 ? ". None validated" : "";
    this.#addWhole(`"${this.#path.print()}" must validate all the schemas (allOf)${remark}`);
  }

  #tryNode(value: unknown, node: SchemaNode, old: unknown): ValidationWalk {
    const attempt = new ValidationWalk(this.#patterns, this.#path);
    attempt.#isAttempt = true;
    attempt.#visit(value, node, old);
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
    const isKnown = this.errors.some(
      (known) => known.path === error.path && known.type === error.type && known.detail === error.detail,
    );
    if (!isKnown) this.errors.push(error);
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
