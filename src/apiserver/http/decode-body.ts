import type { CallOptions, PatchType } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { jsonProblem } from "#apiserver/json-problem.ts";
import { typeMetaProblem } from "#apiserver/type-meta.ts";
import { unsupportedPatchType } from "#apiserver/write/patch.ts";
import { isJsonObject, member, stringifyJson } from "#base/json.ts";
import { JsonSyntaxError, parseJson } from "#base/parse-json.ts";
import { parseYaml, YamlSyntaxError } from "#base/parse-yaml.ts";

export interface DecodedBody {
  readonly body: unknown;
  readonly duplicateFields: readonly string[];
}

/** Turns protobuf bodies of built-in kinds into the JSON they stand for; handed in, so that this folder knows no kinds. */
export type ProtobufDecoder = (bytes: Uint8Array) => unknown;

export interface BodyNeeds {
  readonly decodeProtobuf: ProtobufDecoder;
  /** What the body should be, for messages; undefined where Kubernetes does not say it (options of a deletion). */
  readonly kind: string | undefined;
  /** Of a custom resource: the version that it must say it is of; nothing is taken for granted of those. */
  readonly expects?: string;
  /** Whether unknown fields are looked for; who does not reads the body in another way. */
  readonly isChecked?: boolean;
}

/** The body of a create, update or delete, by its content type; none means JSON. */
export function decodeBody(bytes: Buffer, contentType: string | undefined, needs: BodyNeeds): DecodedBody {
  switch (mediaType(contentType)) {
    case "":
    case "application/json":
      return recognized(bytes, needs, () => decodeJson(bytes));
    case "application/yaml":
      return recognized(bytes, needs, () => decodeYaml(bytes));
    case "application/vnd.kubernetes.protobuf":
      return recognized(bytes, needs, () => ({ body: needs.decodeProtobuf(bytes), duplicateFields: [] }));
    default:
      throw new StatusError(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
      );
  }
}

/** Which of the four kinds of patches the content type names, to the letter; custom resources take three of them. */
export function patchTypeOf(contentType: string | undefined, { custom }: { readonly custom: boolean }): PatchType {
  const type = patchTypes.get((contentType ?? "").split(";")[0]!.trim());
  if (custom && (type === undefined || type === "strategic")) throw unsupportedPatchType();
  if (type === undefined) throw new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  return type;
}

const patchTypes: ReadonlyMap<string, PatchType> = new Map([
  ["application/json-patch+json", "json"],
  ["application/merge-patch+json", "merge"],
  ["application/strategic-merge-patch+json", "strategic"],
  ["application/apply-patch+yaml", "apply"],
]);

/** The patch of a PATCH. */
export function decodePatch(
  bytes: Buffer,
  { patchType, fieldValidation }: { readonly patchType: PatchType } & Pick<CallOptions, "fieldValidation">,
): DecodedBody & { readonly patchType: PatchType } {
  const decode = patchType === "apply" ? decodeYaml : decodeJson;
  return { ...said(bytes, patchWords(patchType, fieldValidation === "Ignore"), decode), patchType };
}

/** How it is said that a patch cannot be read; what is not looked through for unknown fields is read by somebody else. */
function patchWords(patchType: PatchType, isUnchecked: boolean): (problem: string) => string {
  if (patchType === "apply") return (problem) => `error decoding YAML: ${problem}`;
  if (patchType === "merge" && isUnchecked) return () => "Invalid JSON Patch";
  return patchType === "strategic" || isUnchecked
    ? (problem) => problem
    : (problem) => `error decoding patch: ${problem}`;
}

function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";")[0]!.trim().toLowerCase();
}

function decodeJson(bytes: Buffer): DecodedBody {
  const { value, duplicates } = parseJson(bytes.toString("utf8"), { findDuplicates: true });
  return { body: value, duplicateFields: duplicates };
}

function decodeYaml(bytes: Buffer): DecodedBody {
  const text = bytes.toString("utf8");
  if (/^\s*\{/.test(text)) return decodeJson(bytes); // what kubectl sends under the name of YAML is JSON
  const { value, duplicates } = parseYaml(text);
  return { body: value, duplicateFields: duplicates };
}

/** What went wrong, in Go's words. */
function problemOf(error: unknown, bytes: Buffer): string | undefined {
  if (error instanceof JsonSyntaxError) return jsonProblem(bytes);
  if (error instanceof YamlSyntaxError) return error.message;
  return error instanceof StatusError ? error.message : undefined; // protobuf
}

function said(bytes: Buffer, words: (problem: string) => string, decode: (bytes: Buffer) => DecodedBody): DecodedBody {
  try {
    return decode(bytes);
  } catch (error: unknown) {
    const problem = problemOf(error, bytes);
    throw problem === undefined ? error : StatusError.badRequest(words(problem));
  }
}

/** As said, with what the body should have been and how it begins. */
function recognized(bytes: Buffer, { kind, expects, isChecked }: BodyNeeds, decode: () => DecodedBody): DecodedBody {
  const refused = (detail: string) =>
    StatusError.badRequest(kind === undefined ? detail : unrecognized({ kind, detail, bytes }));
  const decoded = attempt(bytes, decode, refused);
  const stranger = typeMetaProblem(decoded.body);
  if (stranger !== undefined) throw refused(stranger);
  if (expects !== undefined)
    expectSelfSaid(decoded.body, { bytes, expects, refused, ...(isChecked === false && { kind: kind! }) });
  return decoded.body === null ? { ...decoded, body: {} } : decoded;
}

interface SelfSaid {
  readonly bytes: Buffer;
  readonly expects: string;
  readonly refused: (detail: string) => StatusError;
  /** Where it is not looked for unknown fields: the kind, for other words. */
  readonly kind?: string;
}

/** A custom resource says itself what it is. */
function expectSelfSaid(body: unknown, { bytes, expects, refused, kind }: SelfSaid): void {
  const object = isJsonObject(body) ? body : {};
  const text = bytes.toString("utf8");
  const version = expects.split("/").at(-1);
  if (!member(object, "kind") && kind !== undefined)
    throw StatusError.badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: Object 'Kind' is missing in '${/^\s*\{/.test(text) ? text : stringifyJson(body)}'`,
    );
  if (!member(object, "kind")) throw refused(`Object 'Kind' is missing in '${text}'`);
  if (member(object, "apiVersion")) return;
  throw StatusError.badRequest(`the API version in the data () does not match the expected API version (${expects})`);
}

function attempt(bytes: Buffer, decode: () => DecodedBody, refused: (detail: string) => StatusError): DecodedBody {
  try {
    return decode();
  } catch (error: unknown) {
    const problem = problemOf(error, bytes);
    if (problem === undefined) throw error;
    const isJson = error instanceof JsonSyntaxError;
    throw refused(isJson ? `couldn't get version/kind; json parse error: ${problem}` : problem);
  }
}

const summaryBytes = 30;

/** The words for a body that is no object of the kind. */
function unrecognized(facts: { readonly kind: string; readonly detail: string; readonly bytes: Buffer }): string {
  return `the object provided is unrecognized (must be of type ${facts.kind}): ${facts.detail} (${summaryOf(facts.bytes)})`;
}

function summaryOf(bytes: Buffer): string {
  if (bytes.length === 0) return "<empty>";
  const start = bytes.subarray(0, summaryBytes).toString(bytes[0] === 0x7b ? "utf8" : "hex");
  return bytes.length > summaryBytes ? `${start} ...` : start;
}
