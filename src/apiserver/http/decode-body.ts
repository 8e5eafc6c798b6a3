import type { PatchType } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { JsonSyntaxError, parseJson } from "#base/parse-json.ts";
import { parseYaml, YamlSyntaxError } from "#base/parse-yaml.ts";

export interface DecodedBody {
  readonly body: unknown;
  readonly duplicateFields: readonly string[];
}

/** Turns protobuf bodies of built-in kinds into the JSON they stand for; handed in, so that this folder knows no kinds. */
export type ProtobufDecoder = (bytes: Uint8Array) => unknown;

/** The body of a create, update or delete, by its content type; none means JSON. */
export function decodeBody(
  bytes: Buffer,
  contentType: string | undefined,
  decodeProtobuf: ProtobufDecoder,
): DecodedBody {
  switch (mediaType(contentType)) {
    case "":
    case "application/json":
      return decodeJson(bytes);
    case "application/yaml":
      return decodeYaml(bytes);
    case "application/vnd.kubernetes.protobuf":
      return { body: decodeProtobuf(bytes), duplicateFields: [] };
    default:
      throw new StatusError(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
      );
  }
}

/** The patch of a PATCH and which of the four kinds it is. */
export function decodePatch(
  bytes: Buffer,
  contentType: string | undefined,
): DecodedBody & { readonly patchType: PatchType } {
  switch (mediaType(contentType)) {
    case "application/json-patch+json":
      return { ...decodeJson(bytes), patchType: "json" };
    case "application/merge-patch+json":
      return { ...decodeJson(bytes), patchType: "merge" };
    case "application/strategic-merge-patch+json":
      return { ...decodeJson(bytes), patchType: "strategic" };
    case "application/apply-patch+yaml":
      return { ...decodeYaml(bytes), patchType: "apply" };
    default:
      throw new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  }
}

function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";")[0]!.trim().toLowerCase();
}

function decodeJson(bytes: Buffer): DecodedBody {
  try {
    const { value, duplicates } = parseJson(bytes.toString("utf8"), { findDuplicates: true });
    return { body: value, duplicateFields: duplicates };
  } catch (error: unknown) {
    if (error instanceof JsonSyntaxError) {
      throw StatusError.badRequest(
        `the object provided is unrecognized (must be of type JSON): ${error.message} at character ${error.offset}`,
      );
    }
    throw error;
  }
}

function decodeYaml(bytes: Buffer): DecodedBody {
  const text = bytes.toString("utf8");
  if (/^\s*\{/.test(text)) return decodeJson(bytes); // what kubectl sends under the name of YAML is JSON
  try {
    const { value, duplicates } = parseYaml(text);
    return { body: value, duplicateFields: duplicates };
  } catch (error: unknown) {
    if (error instanceof YamlSyntaxError) throw StatusError.badRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
}
