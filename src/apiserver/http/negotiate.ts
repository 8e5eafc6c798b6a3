import { StatusError } from "#api/meta/status-error.ts";
import { type AcceptClause, parseAccept } from "./accept-header.ts";

/** What an answer is written in; nothing is written in protobuf (K4). */
export type Format = "json" | "yaml";

export interface Conversion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What a client and an endpoint agree on. */
export interface Negotiated {
  readonly format: Format;
  /** What the answer is to be turned into. */
  readonly conversion?: Conversion;
  /** Written for people. */
  readonly pretty: boolean;
}

/** What an endpoint can do beyond writing what it has. */
export interface Endpoint {
  /** Undefined: no conversion. */
  allows(conversion: Conversion | undefined): boolean;
  readonly versions: readonly string[];
}

/** One that writes what it has and nothing else: discovery, and whatever goes wrong. */
export const plainEndpoint: Endpoint = { allows: (conversion) => conversion === undefined, versions: [] };

const conversions: ReadonlySet<string> = new Set(["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]);
const metaVersions: ReadonlySet<string> = new Set(["v1", "v1beta1"]);
const resourceEndpoint: Endpoint = {
  allows: (conversion) =>
    conversion === undefined ||
    (conversion.group === "meta.k8s.io" && metaVersions.has(conversion.version) && conversions.has(conversion.kind)),
  versions: ["v1"],
};

const formats: readonly { readonly format: Format; readonly subtype: string; readonly streams: boolean }[] = [
  { format: "json", subtype: "json", streams: true },
  { format: "yaml", subtype: "yaml", streams: false },
];

/** The first thing in an Accept header that an endpoint can do; undefined when there is none. */
export function negotiate(accept: string | undefined, endpoint: Endpoint): Negotiated | undefined {
  if (accept === undefined || accept === "") return { format: "json", pretty: false };
  for (const { type, subtype, parameters } of parseAccept(accept)) {
    if (type !== "application" && !(type === "*" && subtype === "*")) continue;
    for (const offer of formats) {
      if (subtype !== offer.subtype && subtype !== "*") continue;
      const conversion = conversionOf(parameters);
      if (!isAllowed(parameters, endpoint, offer) || !endpoint.allows(conversion)) continue;
      const pretty = parameters.get("pretty") === "1";
      return { format: offer.format, pretty, ...(conversion === undefined ? {} : { conversion }) };
    }
  }
  return undefined;
}

function isAllowed(
  parameters: AcceptClause["parameters"],
  { versions }: Endpoint,
  { streams }: { readonly streams: boolean },
): boolean {
  const stream = parameters.get("stream");
  const version = parameters.get("sv");
  return (
    (stream === undefined || (streams && stream === "watch")) && (version === undefined || versions.includes(version))
  );
}

function conversionOf(parameters: AcceptClause["parameters"]): Conversion | undefined {
  const [group, version, kind] = ["g", "v", "as"].map((name) => parameters.get(name));
  if (group === undefined && version === undefined && kind === undefined) return undefined;
  return { group: group ?? "", version: version ?? "", kind: kind ?? "" };
}

/** What a client and a resource agree on; 406 where they do not. */
export function negotiateResource(accept: string | undefined): Negotiated {
  return negotiate(accept, resourceEndpoint) ?? refuse(producedTypes.join(", "));
}

/** The same for a document that is no resource. */
export function negotiateDocument(accept: string | undefined): Negotiated {
  return negotiate(accept, plainEndpoint) ?? refuse(producedTypes.join(", "));
}

/** Only JSON has a form for one event after another. */
export function expectStreamed({ format }: Negotiated): void {
  if (format !== "json") refuse("application/json;stream=watch");
}

function refuse(accepted: string): never {
  throw notAcceptable(`only the following media types are accepted: ${accepted}`);
}

/** 406 in the words of a handler. */
export function notAcceptable(message: string): StatusError {
  return new StatusError(406, "NotAcceptable", message);
}

/** What is produced where nothing is said of it. */
export const producedTypes: readonly string[] = ["application/json", "application/yaml"];
export const streamedTypes: readonly string[] = [...producedTypes, "application/json;stream=watch"];

/** Built-in kinds are found by a router that knows media types by their letters alone; 406 where it finds none. */
export function expectProduced(accept: string | undefined, produced: readonly string[]): void {
  const asked = (accept || "*/*").split(",").map((part) => part.split(";")[0]!.replaceAll(/^ +| +$/g, ""));
  if (asked.some((type) => type === "*/*" || produced.includes(type))) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${produced.join(", ")}`;
  throw new StatusError(406, "NotAcceptable", message, {});
}
