import type { ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import type { FieldSetPool, OwnedSet } from "#apiserver/apply/field-set-pool.ts";
import { type FieldSetTexts, ownerUidIn } from "#apiserver/apply/field-set-texts.ts";
import { someUid } from "#apiserver/apply/owned-sets.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import { countKeys } from "#base/roomy-object.ts";
import type { SharedTexts } from "#storage/shared-texts.ts";

/** What is the same for thousands of objects: all of an entry but its time. */
interface Ownership {
  readonly manager: string;
  readonly operation: NonNullable<ManagedFieldsEntry["operation"]>;
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  readonly fieldsV1: JsonObject;
}

type Writer = Omit<Ownership, "fieldsV1">;

interface Name {
  readonly id: number;
  readonly uid: string | undefined;
}

/** How an ownership was named the last time. */
interface Named extends Writer, Name {}

/** Of a form that stands for itself in JSON. */
const isUid = /^[0-9a-f-]{36}$/;

/**
 * Who owns which field, as it is kept on disk: that is a third of an object and the same for thousands of them. An entry is
 * `[number of the shared text, time]`, with the uid that the fields are about where there is one, or else, where it is not shared (yet),
 * `[manager, operation, apiVersion, time, fields, subresource]` with the fields as a text. One of another form than ours stays as it is.
 */
export class KeptOwnership {
  readonly #sets: FieldSetTexts;
  readonly #shared: SharedTexts;
  readonly #pool: Pick<FieldSetPool, "ownedSet">;
  readonly #named = new WeakMap<JsonObject, Named>();
  readonly #known = new Map<number, Ownership>();
  /** The entry of each that was restored last: what was written within a second shares it. */
  readonly #last = new Map<number, ManagedFieldsEntry>();

  constructor(sets: FieldSetTexts, shared: SharedTexts, pool: Pick<FieldSetPool, "ownedSet">) {
    this.#sets = sets;
    this.#shared = shared;
    this.#pool = pool;
  }

  kept(entry: ManagedFieldsEntry): unknown {
    const { manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource } = entry;
    const isOurs = countKeys(entry) === (subresource === undefined ? 6 : 7) && fieldsType === "FieldsV1";
    const isWhole = manager !== undefined && operation !== undefined && apiVersion !== undefined && time !== undefined;
    if (!isOurs || !isWhole || !isJsonObject(fieldsV1)) return entry;
    const named = this.#name({ manager, operation, apiVersion, subresource }, fieldsV1);
    if (named !== undefined) return named.uid === undefined ? [named.id, time] : [named.id, time, named.uid];
    const writtenOut = [manager, operation, apiVersion, time, this.#sets.textOf(fieldsV1)];
    return subresource === undefined ? writtenOut : [...writtenOut, subresource];
  }

  /** Throws when the entry names what is not known. */
  restored(kept: unknown): ManagedFieldsEntry {
    if (!Array.isArray(kept)) return kept as ManagedFieldsEntry; // as it was stored
    if (typeof kept[0] === "number") return this.#restoredByName(kept as [number, string, string?]); // of our own making
    const [manager, operation, apiVersion, time, fields, subresource] = kept as string[]; // of our own making
    const fieldsV1 = this.#sets.setOf(fields ?? "");
    const entry = { manager, operation, apiVersion, time, fieldsType: "FieldsV1", fieldsV1 };
    return (subresource === undefined ? entry : { ...entry, subresource }) as ManagedFieldsEntry;
  }

  #restoredByName([id, time, uid]: [number, string, string?]): ManagedFieldsEntry {
    const last = this.#last.get(id);
    if (uid === undefined && last?.time === time) return last;
    const { manager, operation, apiVersion, subresource, fieldsV1: like } = this.#ownership(id);
    const fieldsV1 = uid === undefined ? like : this.#sets.withUid(like, uid);
    const plain = { manager, operation, apiVersion, time, fieldsType: "FieldsV1", fieldsV1 };
    const entry = subresource === undefined ? plain : { ...plain, subresource };
    if (uid === undefined) this.#last.set(id, entry);
    return entry;
  }

  #name(writer: Writer, set: JsonObject): Name | undefined {
    const owned = this.#pool.ownedSet(set);
    if (owned !== undefined && isUid.test(owned.uid)) {
      const named = this.#nameLike(writer, owned);
      if (named !== "unlike") return named;
    }
    const last = this.#lastOf(writer, set);
    if (last !== undefined) return last;
    const fields = JSON.stringify(set);
    const uid = ownerUidIn(fields);
    if (uid !== undefined && fields.includes(someUid)) return undefined;
    const like = uid === undefined ? fields : fields.replaceAll(uid, someUid);
    if (uid !== undefined && ownerUidIn(like.replaceAll(someUid, "")) !== undefined) return undefined; // several owners
    return this.#nameAnew(writer, { set, like, uid });
  }

  /** The name of what is about an owner: but for its uid, that of all that are like it. */
  #nameLike(writer: Writer, { like: set, uid }: OwnedSet): Name | undefined | "unlike" {
    const last = this.#lastOf(writer, set);
    if (last !== undefined) return { id: last.id, uid };
    const like = JSON.stringify(set);
    if (like.split(someUid).length !== 2) return "unlike"; // what else is called so would be called by the uid when it is read
    const named = this.#nameAnew(writer, { set, like, uid: undefined });
    return named && { id: named.id, uid };
  }

  #lastOf({ manager, operation, apiVersion, subresource }: Writer, set: JsonObject): Named | undefined {
    const last = this.#named.get(set);
    const isSameWriter = last?.manager === manager && last.operation === operation;
    return isSameWriter && last.apiVersion === apiVersion && last.subresource === subresource ? last : undefined;
  }

  #nameAnew(
    { manager, operation, apiVersion, subresource }: Writer,
    { set, like, uid }: { readonly set: JsonObject; readonly like: string; readonly uid: string | undefined },
  ): Named | undefined {
    const id = this.#shared.idOf(`${JSON.stringify([manager, operation, apiVersion, subresource])}\n${like}`);
    if (id === undefined) return undefined;
    const named = { manager, operation, apiVersion, subresource, id, uid };
    this.#named.set(set, named);
    return named;
  }

  #ownership(id: number): Ownership {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const [writer = "", fields = ""] = this.#shared.textOf(id)?.split("\n") ?? [];
    if (fields === "") throw new Error(`cannot tell who owns which field: there is no shared text ${id}`);
    const [manager, operation, apiVersion, subresource] = JSON.parse(writer) as [string, "Update", string, string?]; // as we wrote it
    const fieldsV1 = this.#sets.setOf(fields);
    const ownership = { manager, operation, apiVersion, subresource: subresource ?? undefined, fieldsV1 };
    this.#known.set(id, ownership);
    return ownership;
  }
}
