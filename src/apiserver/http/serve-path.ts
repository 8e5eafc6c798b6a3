import type { UserInfo } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { refusal } from "#apiserver/identity/authorize.ts";
import { isBuiltinGroup } from "#apiserver/registry.ts";
import { type AcceptClause, parseAccept } from "./accept-header.ts";
import type { Exchange } from "./exchange.ts";
import { healthRoute, sendCheck } from "./health.ts";
import {
  type Conversion,
  expectProduced,
  type Negotiated,
  negotiate,
  negotiateDocument,
  producedTypes,
} from "./negotiate.ts";
import type { ServeNeeds } from "./serve-request.ts";

/** Of the exposition format; for other readers it is plain text. */
const pageType = "text/plain; version=0.0.4; charset=utf-8";

interface PathRequest {
  readonly user: UserInfo;
  readonly path: string;
}

/** Serves what is no resource: discovery, OpenAPI, single checks of health, pages. */
export async function servePath(needs: ServeNeeds, exchange: Exchange, { user, path }: PathRequest): Promise<void> {
  const attributes = { verb: exchange.method.toLowerCase(), path };
  if (!needs.server.authorizer.allows(user, attributes)) throw refusal(user, attributes);
  if (path === "/openapi/v3" || path.startsWith("/openapi/v3/")) return serveOpenApi(needs, exchange, path);
  if (path === "/openapi/v2") return serveSwagger(needs, exchange);
  const document = needs.discovery.legacy(path);
  if (document !== undefined) return serveDiscovery(needs, exchange, { path, document });
  const health = healthRoute(path);
  if (health?.check !== undefined && (await sendCheck(needs.health, exchange, { ...health, name: health.check })))
    return;
  const page = needs.pages.get(path);
  if (page !== undefined) return exchange.sendText(200, await page(), { "content-type": pageType });
  if (path === "/") return exchange.sendJson(200, { paths: rootPaths(needs) });
  const [, root, group, version] = path.split("/");
  const isVersion = root === "api" || (root === "apis" && version !== undefined && isBuiltin(needs, group!));
  if (isVersion) throw StatusError.unknownResource();
  sendNotFound(exchange);
}

/** There is nothing of which a Status could be told. */
export function sendNotFound(exchange: Exchange): void {
  exchange.sendText(404, "404 page not found\n", { "content-type": "text/plain; charset=utf-8" });
}

/** Whoever reads changes nothing. */
export function expectReading({ method }: Exchange): void {
  if (method !== "GET" && method !== "HEAD") throw StatusError.methodNotAllowed();
}

function rootPaths(needs: ServeNeeds): readonly string[] {
  const { groups } = needs.discovery.legacy("/apis")!.body as {
    groups: { name: string; versions: { groupVersion: string }[] }[];
  }; // our own document
  const apis = groups.flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
  ]);
  return [
    "/api",
    "/api/v1",
    "/apis",
    ...apis,
    "/healthz",
    "/livez",
    "/openapi/v2",
    "/openapi/v3",
    "/readyz",
    "/version",
    ...needs.pages.keys(),
  ];
}

interface Found {
  readonly path: string;
  readonly document: { readonly body: unknown; readonly etag: string };
}

/** Groups are told of by whoever asks in whatever way, versions of built-in groups by a router that is strict. */
function serveDiscovery(needs: ServeNeeds, exchange: Exchange, { path, document }: Found): void {
  const accept = exchange.header("accept");
  if (isRouted(needs, path)) {
    expectReading(exchange);
    expectProduced(accept, producedTypes);
  }
  const aggregated = path === "/api" || path === "/apis" ? negotiate(accept, aggregatedEndpoint) : undefined;
  if (aggregated?.conversion === undefined || (path !== "/api" && path !== "/apis"))
    return sendCached(exchange, { ...document, negotiated: negotiateDocument(accept) });
  const { group, version, kind } = aggregated.conversion;
  const found = needs.discovery.aggregated(path, version === "v2" ? "v2" : "v2beta1");
  // clients take the answer for the legacy form unless the type is echoed to the letter
  sendCached(exchange, { ...found, negotiated: aggregated, suffix: `;g=${group};v=${version};as=${kind}` });
}

function isRouted(needs: ServeNeeds, path: string): boolean {
  const [, root, group, version] = path.split("/");
  return root === "api" || (version !== undefined && isBuiltin(needs, group!));
}

function isBuiltin({ server }: ServeNeeds, group: string): boolean {
  return isBuiltinGroup(server.core.registry, group);
}

const aggregatedEndpoint = {
  allows: (conversion: Conversion | undefined) =>
    conversion?.group === "apidiscovery.k8s.io" &&
    conversion.kind === "APIGroupDiscoveryList" &&
    (conversion.version === "v2" || conversion.version === "v2beta1"),
  versions: [],
};

function serveOpenApi({ openapi }: ServeNeeds, exchange: Exchange, path: string): void {
  const json: Negotiated = { format: "json", pretty: false };
  if (path === "/openapi/v3") return sendCached(exchange, { ...openapi.index(), negotiated: json });
  const document = openapi.ofPath(path.slice("/openapi/v3/".length));
  if (document === undefined) return exchange.sendText(404, "", {});
  const clauses = parseAccept(exchange.header("accept") || "*/*");
  if (clauses.length === 0) return exchange.sendText(200, "", {}); // who asks for nothing gets it
  if (indexOfJson(clauses) < 0) return exchange.sendText(406, "", {});
  sendCached(exchange, { ...document, negotiated: json });
}

/** Which clause of the Accept header takes JSON; -1 when none does. */
function indexOfJson(clauses: readonly AcceptClause[]): number {
  return clauses.findIndex(
    ({ type, subtype }) => (type === "application" || type === "*") && (subtype === "json" || subtype === "*"),
  );
}

function serveSwagger({ openapi }: ServeNeeds, exchange: Exchange): void {
  const clauses = parseAccept(exchange.header("accept") || "*/*");
  const at = indexOfJson(clauses);
  const earlier = at < 0 ? clauses : clauses.slice(0, at);
  const { body, etag, contentType } = openapi.swagger(earlier.map(({ type, subtype }) => `${type}/${subtype}`));
  if (at < 0 && typeof body !== "string") return exchange.sendText(406, "", {});
  sendText(exchange, { body: typeof body === "string" ? body : JSON.stringify(body), etag, contentType });
}

interface Cached {
  readonly body: unknown;
  readonly etag: string;
  readonly negotiated: Negotiated;
  /** What the media type says beyond the format. */
  readonly suffix?: string;
}

function sendCached(exchange: Exchange, { body, etag, negotiated, suffix = "" }: Cached): void {
  const contentType = `application/${negotiated.format}${suffix}`;
  if (typeof body === "string") return sendText(exchange, { body, etag, contentType });
  sendText(exchange, { body: exchange.textOf(body, negotiated), etag, contentType });
}

interface CachedText {
  readonly body: string;
  readonly etag: string;
  readonly contentType: string;
}

function sendText(exchange: Exchange, { body, etag, contentType }: CachedText): void {
  const headers = { etag, vary: "Accept", "content-type": contentType };
  if (exchange.header("if-none-match") === etag) return exchange.sendText(304, "", headers);
  exchange.sendText(200, body, headers);
}
