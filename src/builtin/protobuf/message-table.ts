import { ProtobufError } from "./protobuf-error.ts";

/** One field of a message, as the generated table has it. */
export interface MessageField {
  readonly number: number;
  /** Empty for an inlined message. */
  readonly name: string;
  readonly type: FieldType;
  readonly shape: "one" | "list" | "map";
  /** A pointer in Go: present means sent, and a zero value is printed. */
  readonly pointer: boolean;
  /** No `omitempty`: printed when absent, as null or zero. */
  readonly kept: boolean;
  /** `omitzero`: left out when zero although it is a struct. */
  readonly omitZero: boolean;
  readonly inline: boolean;
}

export type FieldType = ScalarType | SpecialType | { readonly message: Message };
export type ScalarType = "string" | "int32" | "int64" | "bool" | "double" | "bytes";
/** Messages with a JSON form of their own, and `strings`, a named slice. */
export type SpecialType =
  | "strings"
  | "@time"
  | "@microtime"
  | "@duration"
  | "@quantity"
  | "@intorstring"
  | "@json"
  | "@schemaorarray"
  | "@schemaorbool"
  | "@schemaorstrings";

export interface Message {
  readonly name: string;
  /** In the order in which Go prints them. */
  readonly fields: readonly MessageField[];
  readonly byNumber: ReadonlyMap<number, number>;
}

/** The generated file: messages as rows of `[number, JSON name, type, flags]`. */
export interface MessageFile {
  readonly packages: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, readonly (readonly [number, string, string, string?])[]>>;
}

/** Finds messages by kind. */
export class MessageTable {
  readonly #packages: ReadonlyMap<string, string>;
  readonly #messages: ReadonlyMap<string, Message>;

  constructor(file: MessageFile) {
    this.#packages = new Map(Object.entries(file.packages));
    this.#messages = linkMessages(file);
  }

  /** DeleteOptions belongs to every group version: each typed client sends it under its own. */
  ofKind(apiVersion: string, kind: string): Message {
    const folder = kind === "DeleteOptions" ? "meta.v1" : this.#packages.get(apiVersion);
    const message = folder === undefined ? undefined : this.#messages.get(`${folder}.${kind}`);
    if (message === undefined) {
      throw new ProtobufError("unknownKind", `no kind "${kind}" is registered for version "${apiVersion}"`);
    }
    return message;
  }

  named(name: string): Message {
    const message = this.#messages.get(name);
    if (message === undefined) throw new Error(`cannot find the message "${name}" in the generated table`);
    return message;
  }
}

const scalarTypes: ReadonlyMap<string, FieldType> = new Map([
  ["s", "string"],
  ["i", "int32"],
  ["l", "int64"],
  ["b", "bool"],
  ["d", "double"],
  ["y", "bytes"],
  ["[s", "strings"],
]);

function linkMessages(file: MessageFile): ReadonlyMap<string, Message> {
  const messages = new Map<string, { name: string; fields: MessageField[]; byNumber: Map<number, number> }>();
  for (const name of Object.keys(file.messages)) messages.set(name, { name, fields: [], byNumber: new Map() });
  for (const [name, rows] of Object.entries(file.messages)) {
    const { fields, byNumber } = messages.get(name)!;
    for (const [number, jsonName, type, flags = ""] of rows) {
      byNumber.set(number, fields.length);
      fields.push({
        number,
        name: jsonName,
        type: fieldType(type, messages),
        shape: flags.includes("m") ? "map" : flags.includes("r") ? "list" : "one",
        pointer: flags.includes("p"),
        kept: flags.includes("k"),
        omitZero: flags.includes("z"),
        inline: flags.includes("i"),
      });
    }
  }
  return messages;
}

function fieldType(code: string, messages: ReadonlyMap<string, Message>): FieldType {
  const scalar = scalarTypes.get(code);
  if (scalar !== undefined) return scalar;
  // The generator writes no other code that begins with the sign.
  if (code.startsWith("@")) return code as SpecialType;
  const message = messages.get(code);
  if (message === undefined) throw new Error(`cannot link protobuf messages: "${code}" is not there`);
  return { message };
}
