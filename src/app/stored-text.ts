import type { ApiObject, Draft, ObjectMeta } from "#api/meta/object-meta.ts";
import type { SettledParts } from "#apiserver/write/settled-parts.ts";
import { hasRawNumbers, isJsonObject, quoted, restoreRawNumbers, setMember } from "#base/json.ts";
import { parsePrinted } from "#base/parse-json.ts";
import { countKeys, roomFor } from "#base/roomy-object.ts";
import type { KeptOwnership } from "./kept-ownership.ts";

/**
 * Begin a text in which every number is one that JavaScript prints as it reads it: nothing has to be looked for. A list of one; the blank is
 * what earlier releases wrote.
 */
const plainMarks = { list: "[", former: "\n" };

/** What is the very same in many objects, or in one from write to write. */
const isShared: ReadonlySet<string> = new Set(["spec", "status"]);

/** Objects as they are kept on disk: as they are printed, but for who owns which field. */
export class StoredTexts {
  readonly #ownership: KeptOwnership;
  readonly #settled: Pick<SettledParts, "familiar" | "restored" | "printed">;

  constructor(ownership: KeptOwnership, settled: Pick<SettledParts, "familiar" | "restored" | "printed">) {
    this.#ownership = ownership;
    this.#settled = settled;
  }

  encode(object: ApiObject): string {
    let text = "[{";
    for (const key in object) {
      const value = object[key as keyof ApiObject] as unknown;
      if (value === undefined) continue;
      text += `${text.length === 2 ? "" : ","}${quoted(key)}:${this.#printed(key, value)}`;
    }
    text += "}]";
    return hasRawNumbers(text) ? restoreRawNumbers(text.slice(1, -1)) : text;
  }

  /** Throws when the text is not one that was encoded. */
  decode(text: string): ApiObject {
    const familiar = text.startsWith(plainMarks.list) ? this.#settled.familiar(text) : undefined;
    const object = (familiar === undefined ? parsed(text) : (familiar as unknown[])[0]) as Draft; // what we encoded
    const kept: unknown = object.metadata.managedFields;
    if (Array.isArray(kept)) object.metadata.managedFields = kept.map((entry) => this.#ownership.restored(entry));
    if (familiar === undefined) this.#settled.restored(object);
    return object as unknown as ApiObject; // as it was stored
  }

  #printed(key: string, value: unknown): string {
    if (isShared.has(key) && isJsonObject(value)) return this.#settled.printed.textOf(value);
    return JSON.stringify(key === "metadata" ? this.#kept(value as ObjectMeta) : value);
  }

  #kept(metadata: ObjectMeta): object {
    const { managedFields } = metadata;
    if (managedFields === undefined) return metadata;
    const kept = roomFor(countKeys(metadata));
    for (const key in metadata) setMember(kept, key, metadata[key as keyof ObjectMeta]);
    kept["managedFields"] = managedFields.map((entry) => this.#ownership.kept(entry));
    return kept;
  }
}

function parsed(text: string): unknown {
  if (text.startsWith(plainMarks.list)) return (JSON.parse(text) as unknown[])[0];
  return text.startsWith(plainMarks.former) ? JSON.parse(text) : parsePrinted(text);
}
