import type { ApiObject } from "#api/meta/object-meta.ts";
import { stringifyJson } from "#base/json.ts";

/**
 * The JSON text of stored objects, made once however many watchers and lists want it. Stored objects never change, so their identity
 * is the key; the newest texts are kept up to a budget, because most objects are written, sent around once and not asked for again.
 */
export class ObjectTexts {
  readonly #texts = new Map<ApiObject, string>();
  readonly #budget: number;
  #characters = 0;

  constructor(budgetCharacters: number) {
    this.#budget = budgetCharacters;
  }

  /** The text as watches send it, with kind and apiVersion first. */
  textOf(object: ApiObject): string {
    const known = this.#texts.get(object);
    if (known !== undefined) return known;
    const text = stringifyJson(object);
    this.#texts.set(object, text);
    this.#characters += text.length;
    for (const [oldest, oldText] of this.#texts) {
      if (this.#characters <= this.#budget) break;
      this.#texts.delete(oldest);
      this.#characters -= oldText.length;
    }
    return text;
  }

  /** The text as lists of built-in kinds have it: without kind and apiVersion, which stand once on the list. */
  itemTextOf(object: ApiObject): string {
    const known = this.#texts.get(object);
    const head = `{"kind":${JSON.stringify(object.kind)},"apiVersion":${JSON.stringify(object.apiVersion)},`;
    const text = known ?? stringifyJson(object);
    if (text.startsWith(head)) return `{${text.slice(head.length)}`;
    const { kind: _, apiVersion: __, ...rest } = object;
    return stringifyJson(rest);
  }
}
