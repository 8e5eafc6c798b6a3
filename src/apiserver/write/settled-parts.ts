import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { EqualParts } from "#base/equal-parts.ts";
import { FamiliarTexts } from "#base/familiar-texts.ts";
import { cloneJson, isJsonObject, member, membersBut, RawNumber, setMember } from "#base/json.ts";
import { PrintedParts } from "#base/printed-parts.ts";
import { countKeys, roomFor } from "#base/roomy-object.ts";
import { propertyOf } from "#schema/child-node.ts";
import { isOpaque } from "#schema/known-plainly.ts";
import type { SchemaNode } from "#schema/schema-node.ts";

/** All clusters of a process are read at once, in pages: what one template says comes from each of them in a page of its own. */
const restoredParts = 200_000;

/** Parts of an object that is written, each the very one that is stored, here or elsewhere: nobody changes them. */
export interface KeptParts {
  readonly spec?: object;
  readonly metadata?: object;
  readonly status?: object;
}

const noneKept: KeptParts = {};

const parts = ["spec", "metadata", "status"];
/** Any of them together, by the sum of what each counts: spec one, metadata two, status four. */
const together: readonly ReadonlySet<string>[] = Array.from(
  { length: 2 ** parts.length },
  (_, sum) => new Set(parts.filter((_, index) => (sum >> index) % 2 === 1)),
);

/**
 * Parts of objects as they are stored: complete, right and never changed again. Controllers in this process send the very spec of a template
 * to all of its members, within a work and then as an object there; it need not be copied, completed and judged each time. Only of kinds that
 * say that this depends on the spec alone (`Strategy.settles`). Statuses of a kind mostly say the same; what is equal is kept once, and who
 * writes one that is kept need not have it copied, completed and judged either.
 */
export class SettledParts {
  readonly #types = new WeakMap<object, ResourceType>();
  /** Statuses that are kept, and those on their way there that were found to be right, whatever was there before. */
  readonly #statuses = new WeakMap<object, ResourceType>();
  readonly #rightStatuses = new WeakMap<object, ResourceType>();
  readonly #equal: EqualParts;
  #restored: EqualParts;
  #familiar: FamiliarTexts;
  readonly #onSettled: (part: object) => void;
  /** How specs are printed: one is stored in many objects, and again whenever they report. */
  readonly printed = new PrintedParts();

  constructor({ onSettled = () => {} }: { readonly onSettled?: (part: object) => void } = {}) {
    this.#onSettled = onSettled;
    this.#equal = new EqualParts({ onNew: onSettled });
    this.#restored = this.#newRestored();
    this.#familiar = this.#newFamiliar();
  }

  /** Everything was read from the disk: what was met on the way takes more room than it could save from now on. */
  allRestored(): void {
    this.#restored = this.#newRestored();
    this.#familiar = this.#newFamiliar();
  }

  #newRestored(): EqualParts {
    return new EqualParts({ onNew: this.#onSettled, remembered: restoredParts, areOwn: true });
  }

  #newFamiliar(): FamiliarTexts {
    return new FamiliarTexts({
      constant: (part) => this.#restored.shared(part),
      onNew: this.#onSettled,
      remembered: restoredParts,
      isOwn: isOwnWhenRead,
    });
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
  share(type: ResourceType, draft: Draft): void {
    shareLabels(draft, this.#equal);
    const { status } = draft;
    if (!isJsonObject(status) || this.isKept(type, status)) return;
    const shared = this.#equal.shared(status);
    if (this.#rightStatuses.get(status) === type) this.#statuses.set(shared, type);
    draft["status"] = shared;
  }

  /** A status was found to be right for its kind as it is, and complete. */
  foundRight(type: ResourceType, status: unknown): void {
    if (isJsonObject(status) && !this.isKept(type, status)) this.#rightStatuses.set(status, type);
  }

  /** The status of this kind that is kept and says the same, if there is one. */
  keptLike(type: ResourceType, status: unknown): object | undefined {
    if (!isJsonObject(status)) return undefined;
    const known = this.isKept(type, status) ? status : this.#equal.find(status);
    return this.isKept(type, known) ? known : undefined;
  }

  /** Whether a status is one that is kept for this kind: right, complete, and changed by nobody. */
  isKept(type: ResourceType, status: unknown): boolean {
    return isJsonObject(status) && this.#statuses.get(status) === type;
  }

  /**
   * What a list of one object says that was printed to the disk, if others like it were read before: what they say alike is kept once. Nobody
   * else has the object itself and its metadata.
   */
  familiar(text: string): unknown {
    return this.#familiar.read(text);
  }

  /** An object as it was read from the disk; nobody else has it yet. What others say alike, too, is kept once. */
  restored(object: Draft): void {
    const { metadata } = object;
    shareLabels(object, this.#restored);
    if (isJsonObject(object.status)) object["status"] = this.#restored.shared(object.status);
    if (metadata.annotations !== undefined) metadata.annotations = this.#restored.shared(metadata.annotations);
    if (metadata.finalizers !== undefined) metadata.finalizers = this.#restored.shared(metadata.finalizers);
    if (typeof metadata.creationTimestamp === "string")
      metadata.creationTimestamp = this.#restored.text(metadata.creationTimestamp);
    if (isJsonObject(object.spec)) object["spec"] = this.#restored.shared(object.spec);
  }

  /** A copy of an object that may be changed where its kind says anything of it; such specs are shared, and parts that are as they were stored. */
  copyOf<T extends object>(type: ResourceType, object: T, kept: KeptParts = noneKept): T {
    const copy = roomFor(countKeys(object));
    for (const key in object) {
      const value = object[key];
      if (value === undefined) continue;
      const isSettled = key === "spec" && this.settles(type, object as unknown as Draft); // whatever it is, it has a spec
      const isShared = isSettled || value === kept.spec || value === kept.metadata || value === kept.status;
      setMember(copy, key, isShared ? value : this.#partOf(value, propertyOf(type.schema, key)));
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

  /** What of a draft has to be looked at: not such a spec, and no part that is as it was stored. */
  openPart(type: ResourceType, draft: Draft, kept: KeptParts = noneKept): Draft {
    const isKept = (part: unknown, stored: object | undefined) => stored !== undefined && part === stored;
    const spec = isKept(draft.spec, kept.spec) || this.settles(type, draft) ? 1 : 0;
    const metadata = isKept(draft.metadata, kept.metadata) ? 2 : 0;
    const status = isKept(draft.status, kept.status) ? 4 : 0;
    const closed = spec + metadata + status;
    return closed === 0 ? draft : membersBut(draft, together[closed]!); // there are as many
  }
}

function shareLabels({ metadata }: Draft, equal: EqualParts): void {
  if (metadata.labels !== undefined) metadata.labels = equal.shared(metadata.labels);
}

/** The list, the object in it, and its metadata. */
function isOwnWhenRead(depth: number, key: string): boolean {
  return depth < 2 || (depth === 2 && key === "metadata");
}
