import { HintedError } from "#base/hinted-error.ts";
import { isJsonObject, type JsonObject, member } from "#base/json.ts";

/** A mapping of a kubeconfig, read member by member; what has the wrong type is refused with its place. */
export class ConfigSection {
  /** The file that it was written in. */
  readonly file: string;
  readonly #path: string;
  readonly #value: JsonObject;

  constructor(file: string, value: unknown, path = "") {
    this.file = file;
    this.#path = path;
    if (!isJsonObject(value)) throw this.#mistake(path, "a mapping");
    this.#value = value;
  }

  has(key: string): boolean {
    return (member(this.#value, key) ?? undefined) !== undefined;
  }

  /** Undefined when absent, null or empty. */
  text(key: string): string | undefined {
    const value = member(this.#value, key) ?? undefined;
    if (value === undefined || value === "") return undefined;
    if (typeof value !== "string") throw this.#mistake(this.#pathOf(key), "text");
    return value;
  }

  flag(key: string): boolean {
    const value = member(this.#value, key) ?? false;
    if (typeof value !== "boolean") throw this.#mistake(this.#pathOf(key), "true or false");
    return value;
  }

  section(key: string): ConfigSection | undefined {
    const value = member(this.#value, key) ?? undefined;
    return value === undefined ? undefined : new ConfigSection(this.file, value, this.#pathOf(key));
  }

  sections(key: string): readonly ConfigSection[] {
    return this.#list(key).map((each, index) => new ConfigSection(this.file, each, `${this.#pathOf(key)}[${index}]`));
  }

  texts(key: string): readonly string[] {
    return this.#list(key).map((each, index) => {
      if (typeof each !== "string") throw this.#mistake(`${this.#pathOf(key)}[${index}]`, "text");
      return each;
    });
  }

  #list(key: string): readonly unknown[] {
    const value = member(this.#value, key) ?? [];
    if (!Array.isArray(value)) throw this.#mistake(this.#pathOf(key), "a list");
    return value;
  }

  #pathOf(key: string): string {
    return this.#path === "" ? key : `${this.#path}.${key}`;
  }

  #mistake(path: string, expected: string): HintedError {
    const place = path === "" ? "the document" : path;
    return new HintedError(
      `cannot read kubeconfig ${this.file}: ${place} must be ${expected}`,
      "compare it with the output of 'kubectl config view'",
    );
  }
}
