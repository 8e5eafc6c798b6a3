import { isJsonObject, RawNumber } from "./json.ts";
import { resolvePlainScalar } from "./yaml-scalar.ts";

/** A JSON value as YAML in kubectl's style; Go's parser and ours read it back the same. */
export function printYaml(value: unknown): string {
  return isEmptyOrScalar(value) ? `${inline(value)}\n` : `${block(value, "")}\n`;
}

/** A collection on lines of its own, each after the indentation but the first. */
function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((item) => `- ${nested(item, `${indent}  `)}`).join(`\n${indent}`);
  return Object.entries(value as object)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${scalar(key)}:${entry(member, indent)}`)
    .join(`\n${indent}`);
}

/** What follows `key:`. Lists stand at the indentation of their key, as kubectl prints them. */
function entry(value: unknown, indent: string): string {
  if (typeof value === "string" && isLiteral(value)) return ` ${literal(value, indent)}`;
  if (isEmptyOrScalar(value)) return ` ${inline(value)}`;
  const deeper = Array.isArray(value) ? indent : `${indent}  `;
  return `\n${deeper}${block(value, deeper)}`;
}

function nested(value: unknown, indent: string): string {
  return isEmptyOrScalar(value) ? inline(value) : block(value, indent);
}

function isEmptyOrScalar(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return !isJsonObject(value) || Object.values(value).every((member) => member === undefined);
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return "[]";
  if (value instanceof RawNumber) return value.token;
  if (typeof value === "string") return scalar(value);
  return isJsonObject(value) ? "{}" : String(value ?? null);
}

const plain = /^[A-Za-z0-9_./][-A-Za-z0-9_./@%+=:,*<>()$ ]*$/;

/** Unquoted where nobody can take it for anything but this string. */
function scalar(text: string): string {
  const safe =
    plain.test(text) && !/: |:$| $/.test(text) && !text.startsWith("---") && resolvePlainScalar(text) === text;
  return safe && !looksLikeNumber.test(text) ? text : JSON.stringify(text);
}

/** Other YAML readers take more for numbers and dates than Go does. */
const looksLikeNumber = /^[-+.0-9][-+.0-9_:eExXoObBTtZz]*$/;

/** Several lines of ordinary text read best as they are. */
function isLiteral(text: string): boolean {
  return text.includes("\n") && /^[^\s]/.test(text) && !/[^\n\x20-\x7e]/.test(text) && !/ \n| $|\n{2,}$/.test(text);
}

function literal(text: string, indent: string): string {
  const ends = text.endsWith("\n");
  const lines = (ends ? text.slice(0, -1) : text).split("\n").map((line) => (line === "" ? "" : `${indent}  ${line}`));
  return `${ends ? "|" : "|-"}\n${lines.join("\n")}`;
}
