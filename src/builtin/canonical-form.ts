/**
 * The JSON that Kubernetes prints for an object of a built-in kind, whatever JSON was sent: a struct that is not a
 * pointer is there even when empty (`resources: {}`, `status: {}`), an empty field with `omitempty` is not, unknown
 * fields are gone, times are in UTC and amounts in canonical form.
 *
 * Clients compare objects, field ownership follows what is there, and both are made for this form.
 */
import { isJsonObject, member, RawNumber, setMember } from "#base/json.ts";
import { canonicalQuantity } from "#base/quantity.ts";
import { countKeys, roomFor } from "#base/roomy-object.ts";
import type { FieldType, Message, MessageField, MessageTable } from "./protobuf/message-table.ts";
import { canonicalTime } from "./protobuf/time-forms.ts";
import { markEmpty } from "./sent-empty.ts";

/** A copy in canonical form; values of the wrong type stay for validation to find. Parts may be shared with the original, those that are in that form are. */
export function canonicalObject(
  table: MessageTable,
  object: { readonly apiVersion: string; readonly kind: string },
  isCanonical?: (member: unknown) => boolean,
): { apiVersion: string; kind: string; [field: string]: unknown } {
  const { apiVersion, kind } = object;
  const result = { apiVersion, kind };
  fill(result, object, table.ofKind(apiVersion, kind), isCanonical);
  return result;
}

function fill(target: object, source: object, message: Message, isCanonical?: (member: unknown) => boolean): void {
  for (const field of message.fields) {
    if (field.inline && typeof field.type === "object") {
      fill(target, source, field.type.message);
      continue;
    }
    const sent = member(source, field.name) ?? null;
    const value = isCanonical?.(sent) ? sent : fieldValue(field, sent);
    if (value !== undefined) setMember(target, field.name, value);
    if (sent !== null && field.shape !== "one" && (value === undefined || value === null)) {
      markEmpty(target, field.name, sent);
    }
  }
}

/** What is printed for a field, or undefined for nothing. Storage knows no difference between empty and missing lists. */
function fieldValue(field: MessageField, value: unknown): unknown {
  if (value === null) return absentValue(field);
  if (field.shape === "list") {
    if (!Array.isArray(value)) return value;
    return value.length === 0 ? absentValue(field) : value.map((item) => elementValue(field.type, item));
  }
  if (field.shape === "map") {
    if (!isJsonObject(value)) return value;
    return Object.keys(value).length === 0 ? absentValue(field) : mapValue(field.type, value);
  }
  const printed = elementValue(field.type, value);
  return !field.pointer && !field.kept && isZero(field.type, printed) ? undefined : printed;
}

function absentValue(field: MessageField): unknown {
  if (field.pointer || field.shape !== "one") return field.kept ? null : undefined;
  if (field.omitZero) return undefined;
  const { type } = field;
  if (typeof type === "object" || isStructForm(type)) return zeroOf(type);
  return field.kept ? zeroOf(type) : undefined;
}

function elementValue(type: FieldType, value: unknown): unknown {
  if (typeof type === "object") {
    if (value !== null && !isJsonObject(value)) return value;
    const result = roomFor(value === null ? 0 : countKeys(value as object)); // or null
    fill(result, value ?? {}, type.message);
    return result;
  }
  if (value === null) return type === "bytes" ? "" : zeroOf(type);
  if (type === "bytes" && Array.isArray(value)) return bytesText(value);
  if (type === "@quantity") return quantityText(value);
  if (type === "@time" || type === "@microtime") return typeof value === "string" ? canonicalTime(value, type) : value;
  return value;
}

function mapValue(type: FieldType, value: object): object {
  const result = roomFor(countKeys(value));
  for (const key in value) setMember(result, key, elementValue(type, member(value, key)));
  return result;
}

/** Go takes a list of numbers for bytes; one of anything else stays for validation to find. */
function bytesText(items: readonly unknown[]): unknown {
  const isByte = (item: unknown) => item === null || typeof item === "number";
  return items.every(isByte) ? Buffer.from(items.map(Number)).toString("base64") : items;
}

/** Quantities may come as numbers. */
function quantityText(value: unknown): unknown {
  if (value instanceof RawNumber) return canonicalQuantity(value.token);
  return typeof value === "string" || typeof value === "number" ? canonicalQuantity(String(value)) : value;
}

/** Forms that are structs in Go: `omitempty` never leaves them out. */
function isStructForm(type: FieldType): boolean {
  return typeof type === "string" && type.startsWith("@");
}

function isZero(type: FieldType, value: unknown): boolean {
  return value === "" || value === false || (value === 0 && type !== "@intorstring");
}

function zeroOf(type: FieldType): unknown {
  if (typeof type === "object") {
    const result = {};
    fill(result, {}, type.message);
    return result;
  }
  switch (type) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "double":
    case "@intorstring":
      return 0;
    case "@quantity":
      return "0";
    case "@duration":
      return "0s";
    default:
      return null;
  }
}
