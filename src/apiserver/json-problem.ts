import { JsonSyntaxError, parseJson } from "#base/parse-json.ts";

/** What is wrong with bytes that are no JSON: Go names the byte that it met, not the character that it may be a part of. */
export function jsonProblem(bytes: Buffer): string {
  try {
    parseJson(bytes.toString("latin1"));
  } catch (error: unknown) {
    if (error instanceof JsonSyntaxError) return error.message;
  }
  return "it is not UTF-8";
}
