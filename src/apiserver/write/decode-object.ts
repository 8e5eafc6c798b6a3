import type { ApiCall } from "#api/meta/api-call.ts";
import type { Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { apiVersionOf, type Registry } from "#apiserver/registry.ts";
import { fieldErrorMessage, invalid } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { cloneJson, isJsonObject, type JsonObject, member } from "#base/json.ts";
import { findTypeError } from "#schema/decode-types.ts";
import { coerceEmbedded } from "#schema/embedded-resources.ts";
import { isKnownPlainly } from "#schema/known-plainly.ts";
import { pruneUnknown } from "#schema/prune-fields.ts";
import type { KeptParts, SettledParts } from "./settled-parts.ts";

export interface DecodeNeeds {
  readonly registry: Registry;
  /** What need not be looked at again; without it everything is. */
  readonly settled?: SettledParts | undefined;
}

export interface Decoded {
  readonly draft: Draft;
  readonly warnings: readonly string[];
}

/**
 * A client's object as a private draft of the served type: right kind, right field types, nothing the schema does not know. Parts that
 * are as they were stored are taken as they are.
 */
export function decodeObject(type: ResourceType, call: ApiCall, needs: DecodeNeeds, kept?: KeptParts): Decoded {
  const { draft, warnings } = decodePart(type, call, needs, kept);
  return { draft: canonical(type, draft, { settled: needs.settled, kept }), warnings };
}

/** The same for a part of an object, as it is applied: what it does not say is not filled in, for its sender does not mean it. */
export function decodePart(
  type: ResourceType,
  call: ApiCall,
  { registry, settled }: DecodeNeeds,
  kept?: KeptParts,
): Decoded {
  if (!isJsonObject(call.body)) throw StatusError.badRequest(notAnObject(type));
  const body = call.body;
  if (type.custom) remarkOtherVersion(type, call, body);
  expectKind(type, body, registry);
  const draft = (settled?.copyOf(type, body, kept) ?? cloneJson(body)) as unknown as Draft; // shaped by the checks below
  draft.kind = type.kind;
  const served = apiVersionOf(type);
  if (draft.apiVersion !== served) draft.apiVersion = served; // the text that was sent is shared by many, this one is new
  if (draft.metadata === undefined || draft.metadata === null) draft.metadata = {};
  const warnings = findWarnings(type, draft, {
    call,
    settled,
    kept,
    refuse: (detail) => cannotDecode(type, detail),
  });
  if (body["kind"] && body["kind"] !== type.kind) throw otherKind(type, { ...draft, kind: String(body["kind"]) });
  return { draft, warnings };
}

/** Of a version that is not served nothing is known but what every object has. */
function remarkOtherVersion(type: ResourceType, { options, remarks }: ApiCall, body: JsonObject): void {
  const { apiVersion, kind } = body;
  const validation = options.fieldValidation ?? "Warn";
  const isOther = apiVersion !== apiVersionOf(type) && String(apiVersion).split("/")[0] === type.group;
  if (!isOther || kind !== type.kind || validation === "Ignore") return;
  const texts = Object.keys(body)
    .filter((key) => !["apiVersion", "kind", "metadata"].includes(key))
    .map((key) => `unknown field "${key}"`);
  if (validation === "Strict" && texts.length > 0)
    throw cannotDecode(type, `strict decoding error: ${texts.join(", ")}`);
  remarks?.push(...texts);
}

/** A custom resource that would be of another kind is invalid as one of that. */
export function otherKind(type: ResourceType, { kind, metadata }: Draft): StatusError {
  const what = { group: type.group, resource: kind, ...(metadata.name === undefined ? {} : { name: metadata.name }) };
  return StatusError.invalid(what, [invalid("kind", kind, `must be ${type.kind}`)]);
}

/** Checks field types and drops unknown fields; what is said about them depends on the request's fieldValidation. */
export function conformToSchema(type: ResourceType, draft: Draft, decoding: Decoding): Decoded {
  const warnings = findWarnings(type, draft, decoding);
  return { draft: canonical(type, draft, decoding), warnings };
}

/** A whole object in the form that Kubernetes prints. */
export function canonical(type: ResourceType, draft: Draft, { settled, kept }: Partial<KnownParts> = {}): Draft {
  if (type.canonicalize === undefined) return draft;
  const spec = settled?.settles(type, draft) === true ? draft.spec : undefined;
  if (spec === undefined && kept === undefined) return type.canonicalize(draft);
  const isKnown = (part: unknown) =>
    part === spec || part === kept?.spec || part === kept?.metadata || part === kept?.status;
  return type.canonicalize(draft, (part) => part !== undefined && isKnown(part));
}

/** Parts that are known to be right. */
interface KnownParts extends Pick<DecodeNeeds, "settled"> {
  /** As they are stored. */
  readonly kept?: KeptParts | undefined;
}

export interface Decoding extends KnownParts {
  readonly call: ApiCall;
  /** The words for what cannot be decoded. */
  readonly refuse: (detail: string) => StatusError;
}

function findWarnings(type: ResourceType, draft: Draft, { call, settled, kept, refuse }: Decoding): readonly string[] {
  const open = settled?.openPart(type, draft, kept) ?? draft;
  const unknown = isKnownPlainly(open, type.schema) ? [] : dropUnknown(type, draft, refuse);
  const { embedded: rules } = type;
  const misshapen = rules === undefined ? undefined : coerceEmbedded(draft, type.schema, { rules });
  if (misshapen !== undefined) throw refuse(fieldErrorMessage(misshapen));
  const validation = call.options.fieldValidation ?? "Warn";
  if (validation === "Ignore") return [];
  const complaints = [
    ...unknown.map((path) => ({ path, text: `unknown field ${type.custom ? `"${path}"` : goQuote(path)}` })),
    ...(call.duplicateFields ?? []).map((path) => ({ path, text: `duplicate field ${goQuote(path)}` })),
  ];
  if (complaints.length === 0) return [];
  const texts = complaints.toSorted(byDocumentOrder(call.body)).map(({ text }) => text);
  if (validation === "Strict") throw refuse(`strict decoding error: ${texts.join(", ")}`);
  return texts;
}

function dropUnknown(type: ResourceType, draft: Draft, refuse: Decoding["refuse"]): readonly string[] {
  const typeError = findDecodingError(type, draft);
  if (typeError !== undefined) throw refuse(typeError);
  return pruneUnknown(draft, type.schema, { onUnknown: "drop" });
}

/** What Go's decoder would refuse: of a custom resource in its metadata alone; the rest is judged by its own schema later, with all faults at once. */
export function findDecodingError({ schema, custom, kind }: ResourceType, draft: object): string | undefined {
  if (!custom) return findTypeError(draft, schema, kind);
  const metadata = member(draft, "metadata");
  const node = schema.properties?.["metadata"];
  if (metadata === undefined || metadata === null || node === undefined) return undefined;
  return findTypeError(metadata, node, "v1.ObjectMeta");
}

function expectKind(type: ResourceType, body: JsonObject, registry: Registry): void {
  const served = apiVersionOf(type);
  const kind = String(body["kind"] || type.kind);
  const apiVersion = String(body["apiVersion"] || served);
  if ((kind === type.kind || type.custom) && apiVersion === served) return; // of a custom resource the kind is judged later
  const version = apiVersion.split("/").at(-1) ?? apiVersion;
  const refuse = (why: string) =>
    StatusError.badRequest(`${kind} in version "${version}" cannot be handled as a ${type.kind}: ${why}`);
  const isKnown = isMetaKind(kind, apiVersion) || registry.ofKind(apiVersion, kind) !== undefined;
  if (!isKnown && !type.custom) {
    throw refuse(
      `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (kind !== type.kind && !type.custom) {
    const internal = type.group === "" ? "core" : type.group.split(".")[0];
    throw refuse(`converting (${version}.${kind}) to (${internal}.${type.kind}): unknown conversion`);
  }
  throw StatusError.badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${served})`,
  );
}

/** Kinds that every version has, or the first one alone. */
function isMetaKind(kind: string, apiVersion: string): boolean {
  return (
    ["Status", "APIGroup", "APIResourceList", "DeleteOptions"].includes(kind) ||
    (kind === "List" && apiVersion === "v1")
  );
}

function cannotDecode(type: ResourceType, detail: string): StatusError {
  return StatusError.badRequest(cannotHandle(type, detail));
}

function cannotHandle(type: ResourceType, why: string): string {
  return `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${why}`;
}

function notAnObject(type: ResourceType): string {
  return cannotHandle(type, "the body is not a JSON object");
}

/** Complaints in the order in which their fields stand in the document, as Go's decoder meets them. */
function byDocumentOrder(body: unknown): (a: { path: string }, b: { path: string }) => number {
  const ranks = new Map<string, number[]>();
  const rankOf = (path: string): number[] => {
    const known = ranks.get(path);
    if (known !== undefined) return known;
    const rank: number[] = [];
    let value: unknown = body;
    for (const segment of path.split(/[.[\]]+/).filter((part) => part !== "")) {
      if (typeof value !== "object" || value === null) break;
      rank.push(Array.isArray(value) ? Number(segment) : Object.keys(value).indexOf(segment));
      value = Object.hasOwn(value, segment) ? (value as Record<string, unknown>)[segment] : undefined;
    }
    ranks.set(path, rank);
    return rank;
  };
  return (a, b) => {
    const left = rankOf(a.path);
    const right = rankOf(b.path);
    const at = left.findIndex((rank, index) => rank !== right[index]);
    return at < 0 ? left.length - right.length : left[at]! - (right[at] ?? -1);
  };
}
