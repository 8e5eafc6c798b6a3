import { isJsonObject, stringifyJson } from "./json.ts";

/** The text of a value, the same however its members are ordered; what is undefined is absent. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (!isJsonObject(value)) return value === undefined ? "null" : stringifyJson(value);
  let text = "{";
  for (const key of Object.keys(value).sort()) {
    if (value[key] !== undefined) text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${sortedJson(value[key])}`;
  }
  return `${text}}`;
}
