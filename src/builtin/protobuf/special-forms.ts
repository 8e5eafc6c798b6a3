import { RawNumber } from "#base/json.ts";
import { JsonSyntaxError, parseJson } from "#base/parse-json.ts";
import { canonicalQuantity, parseQuantity } from "#base/quantity.ts";
import type { SpecialType } from "./message-table.ts";
import { printDuration, printTime } from "./time-forms.ts";
import { malformed, WireReader, wireType } from "./wire-reader.ts";

/** Reads messages by name: the schema forms hold some. */
export interface NamedReader {
  named(name: string, bytes: Uint8Array): object;
}

const schemaProps = "apiextensions.v1.JSONSchemaProps";

/** The JSON of a message that does not print its fields. */
export function readSpecial(type: string, bytes: Uint8Array, reader: NamedReader): unknown {
  return forms[type as SpecialType](readFields(bytes), reader);
}

interface Fields {
  readonly isEmpty: boolean;
  number(field: number): number | RawNumber;
  text(field: number): string;
  bytes(field: number): Uint8Array[];
}

const forms: Readonly<Record<SpecialType, (fields: Fields, reader: NamedReader) => unknown>> = {
  strings: (fields) => fields.bytes(1).map(utf8),
  // Clients in Go drop the fraction of a second on both ways.
  "@time": (fields) => (fields.isEmpty ? null : printTime(fields.number(1))),
  "@microtime": (fields) =>
    fields.isEmpty ? null : printTime(fields.number(1), Math.trunc(small(fields.number(2)) / 1000)),
  "@duration": (fields) => printDuration(BigInt(fields.number(1).toString())),
  "@quantity": readQuantity,
  "@intorstring": readIntOrString,
  "@json": (fields) => readJson(fields.bytes(1).at(-1)),
  "@schemaorarray": (fields, reader) => {
    const list = fields.bytes(2);
    return list.length > 0 ? list.map((bytes) => reader.named(schemaProps, bytes)) : schemaOf(fields.bytes(1), reader);
  },
  "@schemaorbool": (fields, reader) => schemaOf(fields.bytes(2), reader) ?? small(fields.number(1)) !== 0,
  "@schemaorstrings": (fields, reader) => {
    const list = fields.bytes(2).map(utf8);
    return list.length > 0 ? list : schemaOf(fields.bytes(1), reader);
  },
};

function schemaOf(parts: readonly Uint8Array[], reader: NamedReader): object | null {
  return parts.length === 0 ? null : reader.named(schemaProps, Buffer.concat(parts));
}

function readQuantity(fields: Fields): string {
  const text = fields.text(1);
  if (fields.isEmpty) return "0";
  if (parseQuantity(text) === undefined) throw malformed(`"${text.slice(0, 64)}" is no quantity`);
  return canonicalQuantity(text);
}

function readIntOrString(fields: Fields): unknown {
  const type = fields.number(1);
  if (type === 0) return small(fields.number(2)) | 0;
  if (type === 1) return fields.text(3);
  throw malformed(`impossible IntOrString type ${type.toString()}`);
}

function readJson(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) return null;
  try {
    return parseJson(utf8(bytes)).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw malformed(`a raw field is not JSON: ${error.message}`);
    throw error;
  }
}

/** Special messages are small and alike: numbers and stretches of bytes under low field numbers. */
function readFields(bytes: Uint8Array): Fields {
  const numbers = new Map<number, number | RawNumber>();
  const stretches = new Map<number, Uint8Array[]>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const tag = reader.tag();
    const field = tag >>> 3;
    if ((tag & 7) === wireType.varint) numbers.set(field, reader.int64());
    else if ((tag & 7) === wireType.bytes) {
      const list = stretches.get(field);
      if (list === undefined) stretches.set(field, [reader.bytes()]);
      else list.push(reader.bytes());
    } else reader.skip(tag & 7);
  }
  return {
    isEmpty: bytes.length === 0,
    number: (field) => numbers.get(field) ?? 0,
    text: (field) => utf8(stretches.get(field)?.at(-1) ?? new Uint8Array()),
    bytes: (field) => stretches.get(field) ?? [],
  };
}

function small(value: number | RawNumber): number {
  if (value instanceof RawNumber) throw malformed("integer out of range");
  return value;
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
