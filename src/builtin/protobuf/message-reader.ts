import { setMember } from "#base/json.ts";
import type { FieldType, Message, MessageField, MessageTable } from "./message-table.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { readSpecial } from "./special-forms.ts";
import { malformed, WireReader, wireType } from "./wire-reader.ts";

/** Far more than an object of three megabytes has in earnest; tiny empty messages would cost a hundred times their size. */
const maxMessages = 200_000;
/** As deep as JSON may be. */
const maxDepth = 128;
const noBytes = new Uint8Array();

/** The bytes of one message and which message it is. */
export interface MessageBytes {
  readonly message: Message;
  readonly bytes: Uint8Array;
}

/** What was read for one field, in order: values of scalars, bytes of messages and map entries. */
type Pieces = unknown[];

/** Turns one object's messages into the JSON that Go prints, within bounds on depth and number. */
export class MessageReader {
  readonly #table: MessageTable;
  #messages = 0;
  #depth = 0;

  constructor(table: MessageTable) {
    this.#table = table;
  }

  /** Sets the message's fields as members of an object; an inlined message sets its parent's. */
  fill(object: object, { message, bytes }: MessageBytes): void {
    if (++this.#messages > maxMessages) throw new ProtobufError("tooLarge", `more than ${maxMessages} messages`);
    if (++this.#depth > maxDepth) throw new ProtobufError("tooLarge", `nested deeper than ${maxDepth} messages`);
    const collected = collectPieces(message, bytes);
    for (let index = 0; index < message.fields.length; index++) {
      const field = message.fields[index]!;
      const pieces = collected[index];
      if (field.inline && typeof field.type === "object") {
        this.fill(object, { message: field.type.message, bytes: joined(pieces) });
        continue;
      }
      const value = this.#value(field, pieces);
      if (value !== undefined) setMember(object, field.name, value);
    }
    this.#depth--;
  }

  /** A message by name, for the special forms that hold one. */
  named(name: string, bytes: Uint8Array): object {
    return this.#object({ message: this.#table.named(name), bytes });
  }

  #object(source: MessageBytes): object {
    const object = {};
    this.fill(object, source);
    return object;
  }

  /** What JSON shows for a field, or undefined for nothing. */
  #value(field: MessageField, pieces: Pieces | undefined): unknown {
    if (field.shape !== "one") {
      if (pieces === undefined) return field.kept ? null : undefined;
      return field.shape === "map"
        ? this.#map(field.type, pieces)
        : pieces.map((piece) => this.#element(field.type, piece));
    }
    if (pieces === undefined) return this.#absent(field);
    if (isScalar(field.type)) {
      const value = pieces.at(-1);
      return value === zeroOf(field.type) && !field.pointer && !field.kept ? undefined : value;
    }
    const value = this.#element(field.type, joined(pieces));
    return value === null && field.omitZero ? undefined : value;
  }

  /** `omitempty` leaves out nil pointers and zero scalars, never a struct. */
  #absent(field: MessageField): unknown {
    if (field.pointer) return field.kept ? null : undefined;
    if (field.omitZero) return undefined;
    if (!isScalar(field.type)) return this.#element(field.type, noBytes);
    if (!field.kept) return undefined;
    return field.type === "bytes" ? null : zeroOf(field.type);
  }

  #element(type: FieldType, piece: unknown): unknown {
    if (!(piece instanceof Uint8Array)) return piece;
    if (typeof type === "object") return this.#object({ message: type.message, bytes: piece });
    return readSpecial(type, piece, this);
  }

  /** Entries are messages of a key (1) and a value (2); either may be missing when zero. */
  #map(type: FieldType, pieces: Pieces): object {
    const object = {};
    for (const piece of pieces) {
      let key = "";
      const values: Pieces = [];
      // Entries were collected as bytes; see readField.
      const reader = new WireReader(piece as Uint8Array);
      while (!reader.done) {
        const tag = reader.tag();
        if (tag === 8 + wireType.bytes) key = reader.string();
        else if (tag >>> 3 === 2) readValue({ reader, wire: tag & 7, type, pieces: values });
        else reader.skip(tag & 7);
      }
      const value = isScalar(type) ? (values.at(-1) ?? zeroOf(type)) : this.#element(type, joined(values));
      setMember(object, key, value);
    }
    return object;
  }
}

function collectPieces(message: Message, bytes: Uint8Array): (Pieces | undefined)[] {
  const collected: (Pieces | undefined)[] = new Array(message.fields.length);
  if (bytes.length === 0) return collected;
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const tag = reader.tag();
    const wire = tag & 7;
    const index = message.byNumber.get(tag >>> 3);
    if (index === undefined) {
      reader.skip(wire);
      continue;
    }
    const field = message.fields[index]!;
    let pieces = collected[index];
    if (pieces === undefined) {
      pieces = [];
      collected[index] = pieces;
    }
    if (field.shape === "map" && wire === wireType.bytes) pieces.push(reader.bytes());
    else readValue({ reader, wire, type: field.type, pieces, packs: field.shape === "list" });
  }
  return collected;
}

interface ValueFacts {
  readonly reader: WireReader;
  readonly wire: number;
  readonly type: FieldType;
  readonly pieces: Pieces;
  /** Lists of numbers may come in one stretch of bytes. */
  readonly packs?: boolean;
}

function readValue({ reader, wire, type, pieces, packs = false }: ValueFacts): void {
  const expected = wireOf(type);
  if (wire === expected) pieces.push(readOne(reader, type));
  else if (packs && wire === wireType.bytes) {
    const packed = new WireReader(reader.bytes());
    while (!packed.done) pieces.push(readOne(packed, type));
  } else throw malformed(`wrong wireType = ${wire}, expected ${expected}`);
}

function readOne(reader: WireReader, type: FieldType): unknown {
  switch (type) {
    case "string":
      return reader.string();
    case "int32":
      return reader.int32();
    case "int64":
      return reader.int64();
    case "bool":
      return reader.bool();
    case "double":
      return reader.double();
    case "bytes":
      return Buffer.from(reader.bytes()).toString("base64");
    default:
      return reader.bytes();
  }
}

function wireOf(type: FieldType): number {
  if (type === "int32" || type === "int64" || type === "bool") return wireType.varint;
  return type === "double" ? wireType.fixed64 : wireType.bytes;
}

function isScalar(type: FieldType): boolean {
  return typeof type === "string" && type !== "strings" && !type.startsWith("@");
}

function zeroOf(type: FieldType): unknown {
  if (type === "string" || type === "bytes") return "";
  return type === "bool" ? false : 0;
}

/** A message that was sent in parts is the sum of its parts. */
function joined(pieces: Pieces | undefined): Uint8Array {
  if (pieces === undefined || pieces.length === 0) return noBytes;
  // Only messages are joined, and those were collected as bytes.
  const parts = pieces as Uint8Array[];
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
