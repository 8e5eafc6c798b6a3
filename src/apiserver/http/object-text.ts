import type { ApiObject } from "#api/meta/object-meta.ts";
import { stringifyJson } from "#base/json.ts";

/** Watchers get an event within one turn of the loop: a few of the newest lines serve them all. */
const sharedLines = 256;
const defaultBudgetCharacters = 4 * 1024 * 1024;

/**
 * The JSON text of stored objects, made once however many watchers and lists want it. Stored objects never change, so their identity
 * is the key; the newest texts are kept up to a budget, because most objects are written, sent around once and not asked for again.
 * Clusters in one process share them: with a budget each, a hundred of them kept 400 MB.
 */
export class ObjectTexts {
  readonly #texts = new Map<ApiObject, string>();
  readonly #budget: number;
  #characters = 0;

  /** Lines of the newest events, which all watchers share. */
  readonly #lines = new Map<ApiObject, { readonly type: string; readonly line: string }>();

  constructor(budgetCharacters = defaultBudgetCharacters) {
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

  /**
   * A watch event's line, made once however many watchers it goes to. It is no buffer: V8 looks through the whole heap whenever 64 MB of
   * those have outlived a collection of the young, which in a large fleet was every few seconds.
   */
  lineOf(type: string, object: ApiObject): string {
    const known = this.#lines.get(object);
    if (known?.type === type) return known.line;
    const line = `{"type":"${type}","object":${this.textOf(object)}}\n`;
    this.#lines.set(object, { type, line });
    for (const oldest of this.#lines.keys()) {
      if (this.#lines.size <= sharedLines) break;
      this.#lines.delete(oldest);
    }
    return line;
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
