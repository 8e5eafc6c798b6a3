import { isJsonObject } from "#base/json.ts";
import { isAnything, propertyOf } from "./child-node.ts";
import { FieldPath } from "./field-path.ts";
import type { SchemaNode } from "./schema-node.ts";

export interface PruneOptions {
  /** `keep` only reports. */
  readonly onUnknown: "drop" | "keep";
  /** `resource` (the default): apiVersion, kind and metadata belong to the value even where the schema does not say so. */
  readonly root?: "resource" | "value";
}

/**
 * Finds fields that the schema does not know and, if asked, drops them in place.
 *
 * Returns their paths (`spec.foo`, `spec.containers[0].bar`) in document order; Kubernetes sorts them for custom
 * resources. A node that says nothing at all (a JSON field of a built-in kind) keeps everything; one that is only
 * `type: object` keeps nothing unless it is marked `x-kubernetes-preserve-unknown-fields`.
 */
export function pruneUnknown(draft: unknown, node: SchemaNode, options: PruneOptions): string[] {
  const walk = new PruneWalk(options.onUnknown === "drop");
  const isResource = options.root !== "value";
  walk.visit(draft, isResource && node["x-kubernetes-embedded-resource"] !== true ? asResource(node) : node);
  return walk.unknown;
}

function asResource(node: SchemaNode): SchemaNode {
  return { ...node, "x-kubernetes-embedded-resource": true };
}

class PruneWalk {
  readonly unknown: string[] = [];
  readonly #drop: boolean;
  readonly #path = new FieldPath("");

  constructor(drop: boolean) {
    this.#drop = drop;
  }

  visit(value: unknown, node: SchemaNode | undefined): void {
    if (Array.isArray(value)) this.#visitItems(value, node);
    else if (isJsonObject(value)) this.#visitMembers(value, node);
  }

  #visitMembers(object: Record<string, unknown>, node: SchemaNode | undefined): void {
    const keepsUnknown = node !== undefined && preservesUnknown(node);
    const isResource = node?.["x-kubernetes-embedded-resource"] === true;
    for (const key in object) {
      const declared = node === undefined ? undefined : propertyOf(node, key);
      if (isResource && isMetaField(key) && declared?.properties === undefined) continue;
      const additional = node?.additionalProperties;
      if (declared === undefined && (additional === undefined || additional === false)) {
        if (!keepsUnknown) this.#report(object, key);
        continue;
      }
      this.#path.push(key);
      this.visit(object[key], declared ?? (typeof additional === "object" ? additional : undefined));
      this.#path.pop();
    }
  }

  #visitItems(items: readonly unknown[], node: SchemaNode | undefined): void {
    const child = node?.items;
    const keepsUnknown = node !== undefined && preservesUnknown(node);
    if (child === undefined && keepsUnknown) return;
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (typeof item !== "object" || item === null) continue;
      this.#path.push(index);
      this.visit(item, child);
      this.#path.pop();
    }
  }

  #report(object: Record<string, unknown>, key: string): void {
    this.#path.push(key);
    this.unknown.push(this.#path.print());
    this.#path.pop();
    if (this.#drop) delete object[key];
  }
}

function preservesUnknown(node: SchemaNode): boolean {
  return node["x-kubernetes-preserve-unknown-fields"] === true || isAnything(node);
}

function isMetaField(key: string): boolean {
  return key === "apiVersion" || key === "kind" || key === "metadata";
}
