import type { ApiObject, Draft, ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import type { FieldSetTexts } from "#apiserver/apply/field-set-texts.ts";
import { hasRawNumbers, isJsonObject, restoreRawNumbers } from "#base/json.ts";
import { parsePrinted } from "#base/parse-json.ts";

/** Begins a text in which every number is one that JavaScript prints as it reads it: nothing has to be looked for. */
const plainMark = "\n";

/**
 * Objects as they are kept on disk: as they are printed, but for who owns which field. That is a third of an object and the same for
 * thousands of them, so that an entry is kept as `[manager, operation, apiVersion, time, fields, subresource]` with the fields as a text.
 */
export class StoredTexts {
  readonly #sets: FieldSetTexts;

  constructor(sets: FieldSetTexts) {
    this.#sets = sets;
  }

  encode(object: ApiObject): string {
    const text = JSON.stringify(this.#kept(object));
    return hasRawNumbers(text) ? restoreRawNumbers(text) : `${plainMark}${text}`;
  }

  /** Throws when the text is not one that was encoded. */
  decode(text: string): ApiObject {
    const object = (text.startsWith(plainMark) ? JSON.parse(text) : parsePrinted(text)) as Draft; // what we encoded
    const kept: unknown = object.metadata.managedFields;
    if (Array.isArray(kept)) object.metadata.managedFields = kept.map((entry) => this.#restored(entry));
    return object as unknown as ApiObject; // as it was stored
  }

  #kept(object: ApiObject): object {
    const { managedFields } = object.metadata;
    if (managedFields === undefined) return object;
    const kept = managedFields.map((entry) => this.#shortened(entry));
    return { ...object, metadata: { ...object.metadata, managedFields: kept } };
  }

  /** An entry that has another form than ours stays as it is. */
  #shortened(entry: ManagedFieldsEntry): unknown {
    const { manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource } = entry;
    const isOurs = Object.keys(entry).length === (subresource === undefined ? 6 : 7) && fieldsType === "FieldsV1";
    const isWhole = manager !== undefined && operation !== undefined && apiVersion !== undefined && time !== undefined;
    if (!isOurs || !isWhole || !isJsonObject(fieldsV1)) return entry;
    const fields = this.#sets.textOf(fieldsV1);
    return subresource === undefined
      ? [manager, operation, apiVersion, time, fields]
      : [manager, operation, apiVersion, time, fields, subresource];
  }

  #restored(kept: unknown): ManagedFieldsEntry {
    if (!Array.isArray(kept)) return kept as ManagedFieldsEntry; // as it was stored
    const [manager, operation, apiVersion, time, fields, subresource] = kept as string[]; // of our own making
    const fieldsV1 = this.#sets.setOf(fields ?? "");
    const entry = { manager, operation, apiVersion, time, fieldsType: "FieldsV1", fieldsV1 };
    return (subresource === undefined ? entry : { ...entry, subresource }) as ManagedFieldsEntry;
  }
}
