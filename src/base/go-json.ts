import { stringifyJson } from "#base/json.ts";

const unsafe = /[<>&\u2028\u2029]/;
const everyUnsafe = /[<>&\u2028\u2029]/g;

/** JSON text as Go prints it: what HTML might misread is escaped. Texts that are compared or kept must agree. */
export function printGoJson(value: unknown): string {
  const text = stringifyJson(value);
  if (!unsafe.test(text)) return text;
  return text.replaceAll(everyUnsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
