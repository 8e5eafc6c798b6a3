import { RawNumber } from "#base/json.ts";
import { ProtobufError } from "./protobuf-error.ts";

/** How the bytes after a tag are to be read; the numbers are the wire's own. */
export const wireType = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** Reads protobuf's wire format from one stretch of bytes; every read is checked against its end. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;
  /** Of the last varint: its value is `high * 2^32 + low`, both unsigned. */
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The next field's tag: `number * 8 + wire type`. */
  tag(): number {
    this.#varint();
    const tag = this.#low;
    if (this.#high !== 0 || tag >>> 3 === 0) throw malformed(`illegal tag ${this.#high > 0 ? "above 32 bits" : tag}`);
    return tag;
  }

  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** A number where it is exact, else a raw number. */
  int64(): number | RawNumber {
    this.#varint();
    const value = (this.#high | 0) * 0x1_0000_0000 + this.#low;
    if (Number.isSafeInteger(value)) return value;
    const exact = (BigInt(this.#high | 0) << 32n) | BigInt(this.#low);
    return new RawNumber(exact.toString());
  }

  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  double(): number {
    const start = this.#advance(8);
    const value = this.#bytes.readDoubleLE(start);
    if (!Number.isFinite(value)) throw malformed(`${value} is no JSON number`);
    return value;
  }

  bytes(): Uint8Array {
    const length = this.#length();
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** UTF-8; what is not, becomes U+FFFD as in Go's JSON. */
  string(): string {
    const length = this.#length();
    const start = this.#advance(length);
    return this.#bytes.toString("utf8", start, start + length);
  }

  /** Passes over a field that nobody knows. */
  skip(type: number): void {
    switch (type) {
      case wireType.varint:
        this.#varint();
        return;
      case wireType.fixed64:
        this.#advance(8);
        return;
      case wireType.bytes:
        this.#advance(this.#length());
        return;
      case wireType.fixed32:
        this.#advance(4);
        return;
      case wireType.startGroup:
        this.#skipGroup();
        return;
      default:
        throw malformed(`illegal wire type ${type}`);
    }
  }

  /** Groups nest; a counter instead of recursion keeps hostile nesting off the stack. */
  #skipGroup(): void {
    let depth = 1;
    while (depth > 0) {
      const type = this.tag() & 7;
      if (type === wireType.startGroup) depth++;
      else if (type === wireType.endGroup) depth--;
      else this.skip(type);
    }
  }

  #length(): number {
    this.#varint();
    if (this.#high !== 0) throw malformed("negative or huge length");
    return this.#low;
  }

  #advance(count: number): number {
    const start = this.#at;
    if (count > this.#bytes.length - start) throw malformed("unexpected EOF");
    this.#at = start + count;
    return start;
  }

  #varint(): void {
    const bytes = this.#bytes;
    const end = bytes.length;
    let at = this.#at;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= end) throw malformed("unexpected EOF");
      if (shift >= 70) throw malformed("integer overflow");
      const byte = bytes[at++]!;
      const part = byte & 0x7f;
      if (shift < 28) low |= part << shift;
      else if (shift === 28) {
        low |= part << 28;
        high = part >>> 4;
      } else high |= part << (shift - 32);
      if (byte < 0x80) break;
    }
    this.#at = at;
    this.#low = low >>> 0;
    this.#high = high >>> 0;
  }
}

/** Go's words, so that clients see what they know. */
export function malformed(detail: string): ProtobufError {
  return new ProtobufError("malformed", `proto: ${detail}`);
}
