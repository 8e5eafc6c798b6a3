import { isJsonObject, member, RawNumber, setMember } from "#base/json.ts";
import { LuaError } from "./lua-error.ts";

/**
 * Gives a result back what Lua could not hold but did not change: members that are null, and the spelling of numbers. A number that would
 * lose digits and whose origin cannot be told is refused by its place.
 */
export class ExactNumbers {
  /** Doubles that stand for a number they do not equal. */
  readonly #lossy = new Set<number>();

  constructor(originals: readonly unknown[]) {
    for (const each of originals) this.#collect(each);
  }

  /** The result with what it lost; throws where digits would be lost. */
  restore(result: unknown, original: unknown, path = ""): unknown {
    if (typeof result === "number") return this.#number(result, original, path);
    if (Array.isArray(result)) {
      const items = Array.isArray(original) ? original : [];
      return result.map((item, index) => this.restore(item, items[index], `${path}[${index}]`));
    }
    if (!isJsonObject(result)) return result;
    if (Object.keys(result).length === 0 && Array.isArray(original) && original.length === 0) return [];
    const from = isJsonObject(original) ? original : {};
    const restored = {};
    for (const [key, value] of Object.entries(result)) {
      setMember(restored, key, this.restore(value, member(from, key), path === "" ? key : `${path}.${key}`));
    }
    for (const [key, value] of Object.entries(from)) {
      if (value === null && member(result, key) === undefined) setMember(restored, key, null);
    }
    return restored;
  }

  #number(result: number, original: unknown, path: string): unknown {
    if (original instanceof RawNumber && original.valueOf() === result) return original;
    if (this.#lossy.has(result) || (Number.isInteger(result) && !Number.isSafeInteger(result)))
      throw new LuaError(`the number at ${path === "" ? "the result" : path} cannot be kept exactly: ${result}`);
    return result;
  }

  #collect(value: unknown): void {
    if (value instanceof RawNumber) {
      if (!isExact(value)) this.#lossy.add(value.valueOf());
    } else if (typeof value === "object" && value !== null)
      for (const each of Object.values(value)) this.#collect(each);
  }
}

/** Whether the double prints as the same digits, whatever their spelling. */
function isExact({ token }: RawNumber): boolean {
  const digits = (text: string) => {
    const [mantissa = "", exponent = "0"] = text.toLowerCase().replace(/^[-+]/, "").split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    const all = `${whole}${fraction}`.replace(/^0+/, "");
    const significant = all.replace(/0+$/, "");
    return significant === ""
      ? "0"
      : `${significant}e${Number(exponent) - fraction.length + (all.length - significant.length)}`;
  };
  const value = Number(token);
  return (
    Number.isFinite(value) &&
    digits(token) === digits(String(value)) &&
    (!Number.isInteger(value) || Number.isSafeInteger(value))
  );
}
