/**
 * Why a protobuf body cannot be read. Nothing else is thrown while one is decoded.
 *
 * - `malformed`: not the envelope, cut short, a field of the wrong wire type, a value that JSON cannot hold
 * - `unknownKind`: the envelope names a kind that has no message, such as a custom resource
 * - `tooLarge`: nested too deep or made of too many messages
 */
export class ProtobufError extends Error {
  readonly why: "malformed" | "unknownKind" | "tooLarge";

  constructor(why: "malformed" | "unknownKind" | "tooLarge", message: string) {
    super(message);
    this.name = "ProtobufError";
    this.why = why;
  }
}
