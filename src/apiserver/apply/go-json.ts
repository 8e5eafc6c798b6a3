import { stringifyJson } from "#base/json.ts";

/** JSON text as Go prints it: what HTML might misread is escaped. Texts that are compared or kept must agree. */
export function printGoJson(value: unknown): string {
  return stringifyJson(value).replaceAll(/[<>&\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
