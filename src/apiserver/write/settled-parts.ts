import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { EqualParts } from "#base/equal-parts.ts";
import { cloneJson, isJsonObject, member, membersBut, RawNumber, setMember } from "#base/json.ts";
import { countKeys, roomFor } from "#base/roomy-object.ts";
import { propertyOf } from "#schema/child-node.ts";
import { isOpaque } from "#schema/known-plainly.ts";
import type { SchemaNode } from "#schema/schema-node.ts";

/** All clusters of a process are read at once, in pages: what one template says comes from each of them in a page of its own. */
const restoredParts = 200_000;

const specAlone: ReadonlySet<string> = new Set(["spec"]);
const metadataAlone: ReadonlySet<string> = new Set(["metadata"]);
const specAndMetadata: ReadonlySet<string> = new Set(["spec", "metadata"]);

/**
 * Parts of objects as they are stored: complete, right and never changed again. Controllers in this process send the very spec of a template
 * to all of its members, within a work and then as an object there; it need not be copied, completed and judged each time. Only of kinds that
 * say that this depends on the spec alone (`Strategy.settles`). Statuses of a kind mostly say the same; what is equal is kept once.
 */
export class SettledParts {
  readonly #types = new WeakMap<object, ResourceType>();
  readonly #equal: EqualParts;
  readonly #restored: EqualParts;
  readonly #onSettled: (part: object) => void;

  constructor({ onSettled = () => {} }: { readonly onSettled?: (part: object) => void } = {}) {
    this.#onSettled = onSettled;
    this.#equal = new EqualParts({ onNew: onSettled });
    this.#restored = new EqualParts({ onNew: onSettled, remembered: restoredParts, sharesTexts: true });
  }

  /** Told of everything that is stored. */
  stored(type: ResourceType, object: ApiObject): void {
    if (type.strategy.settles !== true) return;
    const { spec } = object as ApiObject & { readonly spec?: unknown };
    if (!isJsonObject(spec) || this.#types.get(spec) === type) return;
    this.#types.set(spec, type);
    this.#onSettled(spec);
  }

  /** What many objects say alike is stored once. */
  share(draft: Draft): void {
    shareParts(draft, this.#equal);
  }

  /** An object as it was read from the disk; nobody else has it yet. What others say alike, too, is kept once. */
  restored(object: Draft): void {
    const { metadata } = object;
    shareParts(object, this.#restored);
    if (metadata.annotations !== undefined) metadata.annotations = this.#restored.shared(metadata.annotations);
    if (metadata.finalizers !== undefined) metadata.finalizers = this.#restored.shared(metadata.finalizers);
    if (typeof metadata.creationTimestamp === "string")
      metadata.creationTimestamp = this.#restored.text(metadata.creationTimestamp);
    if (isJsonObject(object.spec)) object["spec"] = this.#restored.shared(object.spec);
  }

  /** A copy of an object that may be changed where its kind says anything of it; such specs are shared, and metadata that are as they were stored. */
  copyOf<T extends object>(type: ResourceType, object: T, kept?: object): T {
    const copy = roomFor(countKeys(object));
    for (const key in object) {
      const value = object[key];
      if (value === undefined) continue;
      const isSettled = key === "spec" && this.settles(type, object as unknown as Draft); // whatever it is, it has a spec
      setMember(copy, key, isSettled || value === kept ? value : this.#partOf(value, propertyOf(type.schema, key)));
    }
    return copy as T; // the same members
  }

  /** Manifests within works: what their kind says nothing of nobody changes. */
  #partOf(value: unknown, node: SchemaNode | undefined): unknown {
    if (node === undefined || typeof value !== "object" || value === null || value instanceof RawNumber)
      return cloneJson(value);
    if (isOpaque(node)) return cloneJson(value, this.#has);
    if (Array.isArray(value)) return value.map((item) => this.#partOf(item, node.items));
    const copy = roomFor(countKeys(value));
    for (const key in value) {
      const part = member(value, key);
      if (part !== undefined) setMember(copy, key, this.#partOf(part, propertyOf(node, key)));
    }
    return copy;
  }

  readonly #has = (part: object): boolean => this.#types.has(part);

  /** Whether a draft's spec is right for its kind. */
  settles(type: ResourceType, { spec }: Draft): boolean {
    return type.strategy.settles === true && isJsonObject(spec) && this.#types.get(spec) === type;
  }

  /** What of a draft has to be looked at: not such a spec, and not metadata that are as they were stored. */
  openPart(type: ResourceType, draft: Draft, kept?: object): Draft {
    const isSettled = this.settles(type, draft);
    if (kept !== undefined && (draft.metadata as object) === kept)
      return membersBut(draft, isSettled ? specAndMetadata : metadataAlone);
    return isSettled ? membersBut(draft, specAlone) : draft;
  }
}

function shareParts(object: Draft, equal: EqualParts): void {
  const { metadata, status } = object;
  if (isJsonObject(status)) object["status"] = equal.shared(status);
  if (metadata.labels !== undefined) metadata.labels = equal.shared(metadata.labels);
}
