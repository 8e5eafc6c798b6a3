import type { ResourcePath, Verb } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";

/** What a method and a path ask for. */
export type Route =
  | { readonly to: "resource"; readonly verb: Verb; readonly path: ResourcePath; readonly rest: readonly string[] }
  | { readonly to: "path"; readonly path: string };

/** Whether a method means a verb at all. */
export function isKnownMethod(method: string): boolean {
  return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].includes(method);
}

/** Reads `/api/v1/…` and `/apis/<group>/<version>/…`; anything shorter, or elsewhere, is a plain path. */
export function routeOf(method: string, url: URL): Route {
  const parts = decodePath(url.pathname).split("/").slice(1); // what is escaped is a slash like any other
  while (parts.at(-1) === "") parts.pop();
  const start = parts[0] === "api" ? 2 : parts[0] === "apis" ? 3 : Number.POSITIVE_INFINITY;
  if (parts.length <= start) return { to: "path", path: `/${parts.join("/")}` };
  const group = parts[0] === "api" ? "" : parts[1]!;
  const version = parts[start - 1]!;
  const { rest, ...located } = locate(parts.slice(start));
  const path: ResourcePath = { group, version, ...located };
  return { to: "resource", verb: verbOf(method, path, url.searchParams), path, rest };
}

interface Located {
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** What follows a subresource: the path behind a proxy. */
  readonly rest: readonly string[];
}

const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

/** `namespaces/<ns>/<resource>/…` or `<resource>/…`; a namespace itself is a resource, too. */
function locate(parts: readonly string[]): Located {
  if (parts[0] === "watch") throw StatusError.notSupported("the deprecated /watch/ prefix (use ?watch=true)");
  const nested =
    parts[0] === "namespaces" && parts.length > 2 && !(parts.length === 3 && namespaceSubresources.has(parts[2]!));
  const [resource, name, subresource, ...rest] = nested ? parts.slice(2) : parts;
  return {
    resource: resource!,
    ...(nested ? { namespace: parts[1]! } : {}),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    rest,
  };
}

function verbOf(method: string, { name }: ResourcePath, query: URLSearchParams): Verb {
  switch (method) {
    case "GET":
    case "HEAD":
      if (name !== undefined) return "get";
      return isTrue(query.get("watch")) ? "watch" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return name === undefined ? "deletecollection" : "delete";
    default:
      throw StatusError.methodNotAllowed();
  }
}

export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== "false" && value !== "0";
}

function decodePath(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw StatusError.badRequest(`cannot read the path: ${JSON.stringify(segment)} is not valid percent-encoding`);
  }
}
