import { printGoJson } from "./go-json.ts";
import { goFloat, goQuote } from "./go-text.ts";
import { RawNumber } from "./json.ts";

/** What is wrong with one field, in the words Kubernetes uses; only the API server turns it into a Status. */
export interface FieldError {
  /** As users write it: `spec.ports[0].name`, `metadata.labels[a/b]`. Empty for the whole object. */
  readonly path: string;
  readonly type: FieldErrorType;
  /** The offending value; shown for `invalid`, `notSupported` and `duplicate`. */
  readonly value?: unknown;
  /** For `notSupported`: the sorted, quoted list of supported values. */
  readonly detail: string;
}

export type FieldErrorType =
  | "required"
  | "invalid"
  | "notSupported"
  | "duplicate"
  | "forbidden"
  | "notFound"
  | "tooLong"
  | "tooMany"
  | "typeInvalid"
  | "internal";

/** A text of a named Go type (a phase, a policy): messages show it as JSON, where plain texts are quoted as Go quotes. */
class NamedText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The same of a value that may be no text. */
export function namedText(value: unknown): unknown {
  return typeof value === "string" ? new NamedText(value) : value;
}

/** An error of a value that is there and wrong. */
export function invalid(path: string, value: unknown, detail: string): FieldError {
  return { path, type: "invalid", value, detail };
}

/** An error of a value that is missing. */
export function required(path: string, detail = ""): FieldError {
  return { path, type: "required", detail };
}

/** An error of a value that may not be set here at all. */
export function forbidden(path: string, detail: string): FieldError {
  return { path, type: "forbidden", detail };
}

/** An error of a value that stands twice where it must be unique. */
export function duplicate(path: string, value: unknown): FieldError {
  return { path, type: "duplicate", value, detail: "" };
}

/** An error of a reference to something that is not there. */
export function notFound(path: string, value: unknown): FieldError {
  return { path, type: "notFound", value, detail: "" };
}

/** An error of a value outside a closed list. */
export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  const quoted = supported.map((item) => JSON.stringify(item)).join(", ");
  return { path, type: "notSupported", value, detail: quoted === "" ? "" : `supported values: ${quoted}` };
}

/** An error of a value with more bytes than it may have; the value itself is not repeated. */
export function tooLong(path: string, maxBytes: number): FieldError {
  return { path, type: "tooLong", detail: `may not be more than ${maxBytes} bytes` };
}

/** An error of a list with more items than it may have. */
export function tooMany(path: string, count: number, max: number): FieldError {
  return { path, type: "tooMany", value: count, detail: `must have at most ${max} items` };
}

const titles: Readonly<Record<FieldErrorType, string>> = {
  required: "Required value",
  invalid: "Invalid value",
  notSupported: "Unsupported value",
  duplicate: "Duplicate value",
  forbidden: "Forbidden",
  notFound: "Not found",
  tooLong: "Too long",
  tooMany: "Too many",
  typeInvalid: "Invalid value",
  internal: "Internal error",
};
const withoutValue: ReadonlySet<FieldErrorType> = new Set(["required", "forbidden", "tooLong", "internal"]);

/** The error without its path, as a cause of a Status has it: `Invalid value: "x": must be y`. */
export function fieldErrorBody(error: FieldError): string {
  const title = titles[error.type];
  const shown = withoutValue.has(error.type) || error.value === undefined;
  const head = shown ? title : `${title}: ${printValue(error.value)}`;
  return error.detail === "" ? head : `${head}: ${error.detail}`;
}

/** As Go prints it: simple values by `%v` and `%q`, all else as JSON. */
function printValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (value instanceof NamedText) return printGoJson(value.text);
  if (value instanceof RawNumber) return /[.eE]/.test(value.token) ? goFloat(value.valueOf()) : value.token;
  return typeof value === "number" && !Number.isInteger(value) ? goFloat(value) : printGoJson(value);
}

/** The error as one line: `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function fieldErrorMessage(error: FieldError): string {
  return `${error.path === "" ? "<nil>" : error.path}: ${fieldErrorBody(error)}`;
}
