import type { Verb } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";

/** How an answer is to look. */
export type Representation =
  | { readonly as: "json" }
  | { readonly as: "yaml" }
  | { readonly as: "table"; readonly version: "v1" | "v1beta1" }
  | { readonly as: "partial"; readonly version: "v1" | "v1beta1" };

interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The first representation of the Accept header that we have; 406 when there is none, in other words where only its parameters are to blame. */
export function negotiate(accept: string | undefined, verb: Verb): Representation {
  if (accept === undefined || accept.trim() === "") return { as: "json" };
  const ranges = parseAccept(accept);
  for (const range of ranges) {
    const found = representationOf(range);
    if (found !== undefined) return found;
  }
  const available = "application/json, application/yaml";
  if (ranges.some(({ type }) => type === "application/json" || type === "application/yaml"))
    throw new StatusError(406, "NotAcceptable", `only the following media types are accepted: ${available}`);
  const streams = verb === "list" || verb === "watch" ? ", application/json;stream=watch" : "";
  const message = `406: Not Acceptable\n\nAvailable representations: ${available}${streams}`;
  throw new StatusError(406, "NotAcceptable", message, {});
}

/** The Accept header's ranges, the client's favourite first. */
export function parseAccept(accept: string): readonly MediaRange[] {
  return accept
    .split(",")
    .slice(0, 32)
    .map((part) => {
      const [type, ...rest] = part.split(";").map((piece) => piece.trim());
      const parameters = new Map(
        rest.map((piece) => {
          const at = piece.indexOf("=");
          return at < 0 ? ([piece, ""] as const) : ([piece.slice(0, at), piece.slice(at + 1)] as const);
        }),
      );
      const quality = Number(parameters.get("q") ?? 1);
      return { type: type!.toLowerCase(), parameters, quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
}

function representationOf({ type, parameters }: MediaRange): Representation | undefined {
  const as = parameters.get("as");
  switch (type) {
    case "application/json":
      if ((parameters.get("stream") ?? "watch") !== "watch") return undefined;
      if (as === undefined) return { as: "json" };
      return transformed(as, parameters);
    case "application/yaml":
      return as === undefined ? { as: "yaml" } : undefined;
    case "*/*":
    case "application/*":
      return { as: "json" };
    default:
      return undefined;
  }
}

function transformed(as: string, parameters: ReadonlyMap<string, string>): Representation | undefined {
  const version = parameters.get("v");
  if (parameters.get("g") !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return undefined;
  if (as === "Table") return { as: "table", version };
  if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") return { as: "partial", version };
  return undefined;
}
