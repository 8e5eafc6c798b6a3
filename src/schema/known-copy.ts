import { cloneJson, isJsonObject, member, RawNumber, setMember } from "#base/json.ts";
import { countKeys, roomFor } from "#base/roomy-object.ts";
import { additionalOf, isAnything, propertyOf } from "./child-node.ts";
import { isKnown, isOpaque } from "./known-plainly.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Copies parts of an object, and sees on the way whether they are plainly known, as isKnownPlainly tells it: one look for both. */
export class KnownCopy {
  /** Whether nothing was met that the schema does not know, or that Go's decoder would refuse. */
  isKnown = true;
  readonly #isShared: (part: object) => boolean;

  /** What the schema says nothing of nobody changes: such parts may be shared. */
  constructor(isShared: (part: object) => boolean) {
    this.#isShared = isShared;
  }

  of(value: unknown, node: SchemaNode): unknown {
    if (typeof value !== "object" || value === null || value instanceof RawNumber) {
      if (!isKnown(value, node)) this.isKnown = false;
      return value;
    }
    if (isOpaque(node)) return cloneJson(value, this.#isShared);
    if (!isOfItsType(value, node)) this.isKnown = false;
    return Array.isArray(value)
      ? this.#items(value, node.items)
      : this.#members(value as Record<string, unknown>, node);
  }

  #items(items: readonly unknown[], node: SchemaNode | undefined): unknown[] {
    return items.map((item) => (node === undefined ? cloneJson(item) : this.of(item, node)));
  }

  #members(object: Record<string, unknown>, node: SchemaNode): object {
    const copy = roomFor(countKeys(object));
    const extra = additionalOf(node);
    for (const key in object) {
      const part = member(object, key);
      if (part === undefined) continue;
      const child = propertyOf(node, key) ?? extra;
      if (child === undefined && node.type !== undefined) this.isKnown = false;
      setMember(copy, key, child === undefined ? cloneJson(part) : this.of(part, child));
    }
    return copy;
  }
}

/** Whether a list or an object is what its schema says. */
function isOfItsType(value: object, node: SchemaNode): boolean {
  if (node["x-kubernetes-preserve-unknown-fields"] === true || node["x-kubernetes-embedded-resource"] === true)
    return false; // known by those who look closely
  if (node.type === "object") return isJsonObject(value);
  if (node.type === "array") return Array.isArray(value) && node.items !== undefined;
  return node.format !== "quantity" && isAnything(node);
}
