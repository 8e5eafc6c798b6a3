/**
 * Protobuf bodies of built-in kinds, as every typed Go client sends them: the JSON that Kubernetes would print for the
 * same bytes. Only decoding: every client that sends protobuf also takes JSON.
 */
import { MessageReader } from "./message-reader.ts";
import type { MessageTable } from "./message-table.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { malformed, WireReader, wireType } from "./wire-reader.ts";

/** The content type of these bodies. */
export const protobufMediaType = "application/vnd.kubernetes.protobuf";

export interface DecodeOptions {
  /** What the object is when the envelope does not say, as the endpoint knows. */
  readonly defaultKind?: { readonly apiVersion: string; readonly kind: string };
}

/** An object as plain JSON that the caller may change. */
export type DecodedObject = { apiVersion: string; kind: string; [field: string]: unknown };

const magic = [0x6b, 0x38, 0x73, 0x00];

/** Reads an enveloped object; throws a ProtobufError when it cannot. */
export function decodeProtobuf(table: MessageTable, bytes: Uint8Array, options: DecodeOptions = {}): DecodedObject {
  if (bytes.length === 0) throw new ProtobufError("malformed", "empty data");
  if (bytes.length < magic.length || magic.some((byte, index) => bytes[index] !== byte)) {
    throw new ProtobufError(
      "malformed",
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  }
  const envelope = readEnvelope(bytes.subarray(magic.length));
  const apiVersion = envelope.apiVersion || options.defaultKind?.apiVersion || "";
  const kind = envelope.kind || options.defaultKind?.kind || "";
  const object: DecodedObject = { kind, apiVersion };
  new MessageReader(table).fill(object, { message: table.ofKind(apiVersion, kind), bytes: envelope.raw });
  return object;
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** runtime.Unknown: 1 typeMeta, 2 raw, 3 contentEncoding, 4 contentType. */
function readEnvelope(bytes: Uint8Array): Envelope {
  const fields = readLengthFields(bytes);
  const typeMeta = readLengthFields(fields.get(1) ?? new Uint8Array());
  if ((fields.get(3)?.length ?? 0) > 0) throw malformed(`unsupported content encoding "${text(fields.get(3))}"`);
  const contentType = text(fields.get(4));
  if (contentType !== "" && contentType !== protobufMediaType)
    throw malformed(`unsupported content type "${contentType}"`);
  return { apiVersion: text(typeMeta.get(1)), kind: text(typeMeta.get(2)), raw: fields.get(2) ?? new Uint8Array() };
}

function readLengthFields(bytes: Uint8Array): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const tag = reader.tag();
    if ((tag & 7) === wireType.bytes) fields.set(tag >>> 3, reader.bytes());
    else reader.skip(tag & 7);
  }
  return fields;
}

function text(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : Buffer.from(bytes).toString("utf8");
}
