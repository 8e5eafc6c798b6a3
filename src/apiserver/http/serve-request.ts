import type { TLSSocket } from "node:tls";
import type { ApiCall, CallOptions, UserInfo } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { ApiServer } from "#apiserver/api-server.ts";
import type { Discovery } from "#apiserver/discovery.ts";
import type { Authenticator } from "#apiserver/identity/authenticate.ts";
import { refusal } from "#apiserver/identity/authorize.ts";
import { effectiveUser } from "#apiserver/identity/impersonate.ts";
import { expectListOptions } from "#apiserver/list-options.ts";
import type { OpenApiDocuments } from "#apiserver/openapi/documents.ts";
import { parseFilter } from "#apiserver/selectors.ts";
import type { ServedAnswer } from "#apiserver/served-answer.ts";
import { decodeBody, decodePatch, type ProtobufDecoder, patchTypeOf } from "./decode-body.ts";
import { readDeleteOptions } from "./deletion-options.ts";
import type { Exchange } from "./exchange.ts";
import { type HealthNeeds, healthRoute, sendCheck, sendHealth } from "./health.ts";
import type { InFlightLimit } from "./in-flight-limit.ts";
import { negotiate, parseAccept, type Representation } from "./negotiate.ts";
import type { ObjectTexts } from "./object-text.ts";
import { readOptions } from "./query-options.ts";
import { readBody } from "./read-body.ts";
import { type Route, routeOf } from "./route.ts";
import { sendAnswer } from "./send-answer.ts";
import { streamWatch } from "./watch-stream.ts";

export interface ServeNeeds {
  readonly server: ApiServer;
  readonly authenticator: Authenticator;
  readonly discovery: Discovery;
  readonly openapi: OpenApiDocuments;
  readonly texts: ObjectTexts;
  readonly decodeProtobuf: ProtobufDecoder;
  readonly version: unknown;
  readonly limit: InFlightLimit;
  readonly health: HealthNeeds;
  /** `/metrics` and the like: text by path. */
  readonly pages: ReadonlyMap<string, () => string | Promise<string>>;
}

/** Of the exposition format; for other readers it is plain text. */
const pageType = "text/plain; version=0.0.4; charset=utf-8";

/** From a request on the wire to its answer: who, what, decode, call, encode. */
export async function serveRequest(
  needs: ServeNeeds,
  exchange: Exchange,
  socket: TLSSocket | undefined,
): Promise<void> {
  const { pathname } = exchange.url;
  const health = healthRoute(pathname);
  if (health !== undefined && health.check === undefined) return sendHealth(needs.health, exchange, health.endpoint);
  if (pathname === "/version") return exchange.sendJson(200, needs.version);
  const user = whoIs(needs, exchange, socket);
  const route = routeOf(exchange.method, exchange.url);
  if (route.to === "path") return servePath(needs, exchange, { user, path: route.path });
  await serveCall(needs, exchange, { user, route });
}

function whoIs({ authenticator, server }: ServeNeeds, exchange: Exchange, socket: TLSSocket | undefined): UserInfo {
  const user = authenticator.authenticate(exchange.header("authorization"), socket);
  if (user === undefined) throw StatusError.unauthorized();
  return effectiveUser(user, exchange.request.headers, server.authorizer);
}

interface Resolved {
  readonly user: UserInfo;
  readonly route: Extract<Route, { readonly to: "resource" }>;
}

async function serveCall(needs: ServeNeeds, exchange: Exchange, { user, route }: Resolved): Promise<void> {
  const representation = representationFor(needs, exchange, { user, route });
  const context = { representation, texts: needs.texts, nowMs: needs.server.core.clock.nowMs() };
  const release = needs.limit.enter(user, route.verb);
  const remarks: string[] = [];
  exchange.addWarnings(deprecationAt(needs.server, route.path));
  let answer: ServedAnswer;
  try {
    answer = await needs.server.call({ ...(await readCall(needs, exchange, { user, route })), remarks });
    if (answer.kind !== "object" || answer.warnings.length === 0) exchange.addWarnings(remarks);
    if (answer.kind === "watch") return await streamWatch(exchange, answer.watch, { ...context, type: answer.type });
  } catch (error: unknown) {
    exchange.addWarnings(remarks);
    throw error;
  } finally {
    release(); // who reads slowly takes nobody's turn
  }
  await sendAnswer(exchange, answer, context);
}

function representationFor(needs: ServeNeeds, exchange: Exchange, resolved: Resolved): Representation {
  try {
    return negotiate(exchange.header("accept"), resolved.route.verb);
  } catch (error: unknown) {
    expectAnswerable(needs, resolved);
    if (resolved.route.verb === "patch") patchTypeOf(exchange.header("content-type")); // what was sent is looked at first
    throw error;
  }
}

function expectAnswerable({ server }: ServeNeeds, { user, route: { verb, path, rest } }: Resolved): void {
  if (rest.length > 0) throw StatusError.unknownResource();
  server.expectAnswerable({ verb, path, user, options: {} });
}

/** The call with its options and its body; what is wrong with those is told only of what could be answered. */
async function readCall(needs: ServeNeeds, exchange: Exchange, { user, route }: Resolved): Promise<ApiCall> {
  if (route.rest.length > 0) throw StatusError.unknownResource();
  try {
    return await decodeCall(needs, exchange, { user, route });
  } catch (error: unknown) {
    if (error instanceof StatusError) expectAnswerable(needs, { user, route });
    throw error;
  }
}

async function decodeCall(needs: ServeNeeds, exchange: Exchange, { user, route }: Resolved): Promise<ApiCall> {
  const { verb, path } = route;
  const query = exchange.url.searchParams;
  const userAgent = exchange.header("user-agent");
  const contentType = exchange.header("content-type");
  switch (verb) {
    case "create":
    case "update": {
      const options = readOptions(verb, query, { userAgent });
      const kind = kindAt(needs.server, path);
      const body = decodeBody(await readBody(exchange.request), contentType, { ...needs, kind });
      return { verb, path, user, options, ...body };
    }
    case "patch": {
      const bytes = await readBody(exchange.request);
      const patchType = patchTypeOf(contentType);
      const options = readOptions(verb, query, { userAgent, isApply: patchType === "apply" });
      return { verb, path, user, options, ...decodePatch(bytes, { ...options, patchType }) };
    }
    case "delete":
    case "deletecollection": {
      const options = readOptions(verb, query, { userAgent });
      if (verb === "deletecollection") expectSelection(needs.server, path, options);
      return { verb, path, user, options: await deletionOptions(needs, exchange, options) };
    }
    default:
      return { verb, path, user, options: readOptions(verb, query, { userAgent }) };
  }
}

async function deletionOptions(needs: ServeNeeds, exchange: Exchange, options: CallOptions): Promise<CallOptions> {
  const bytes = await readBody(exchange.request);
  const body =
    bytes.length === 0
      ? undefined
      : decodeBody(bytes, exchange.header("content-type"), { ...needs, kind: undefined }).body;
  const { deletion, dryRun } = readDeleteOptions(exchange.url.searchParams, body);
  return { ...options, deletion, dryRun };
}

/** What a deletion selects is judged before what it is to do. */
function expectSelection(
  { core }: ApiServer,
  { group, version, resource }: ApiCall["path"],
  options: CallOptions,
): void {
  expectListOptions(options);
  const type = core.registry.get(group, version, resource);
  if (type !== undefined) parseFilter(type, options);
}

/** That a kind will go is said of whatever is asked of it. */
function deprecationAt(
  { core }: ApiServer,
  { group, version, resource, subresource }: ApiCall["path"],
): readonly string[] {
  if (subresource !== undefined) return [];
  const deprecation = core.registry.get(group, version, resource)?.strategy.deprecation;
  return deprecation === undefined ? [] : [deprecation];
}

/** What a body at this place should be. */
function kindAt({ core }: ApiServer, { group, version, resource }: ApiCall["path"]): string {
  return core.registry.get(group, version, resource)?.kind ?? "Object";
}

interface PathRequest {
  readonly user: UserInfo;
  readonly path: string;
}

async function servePath(needs: ServeNeeds, exchange: Exchange, { user, path }: PathRequest): Promise<void> {
  const attributes = { verb: exchange.method.toLowerCase(), path };
  if (!needs.server.authorizer.allows(user, attributes)) throw refusal(user, attributes);
  if (exchange.method !== "GET" && exchange.method !== "HEAD") throw StatusError.methodNotAllowed();
  if (path === "/openapi/v3" || path.startsWith("/openapi/v3/")) return serveOpenApi(needs, exchange, path);
  if (path === "/openapi/v2") return serveSwagger(needs, exchange);
  const health = healthRoute(path);
  if (health?.check !== undefined && (await sendCheck(needs.health, exchange, { ...health, name: health.check })))
    return;
  const page = needs.pages.get(path);
  if (page !== undefined) return exchange.sendText(200, await page(), { "content-type": pageType });
  const document = aggregatedDocument(needs, exchange, path) ?? needs.discovery.legacy(path);
  if (document === undefined) {
    if (path === "/") return exchange.sendJson(200, { paths: rootPaths(needs) });
    return exchange.sendText(404, "404 page not found\n", { "content-type": "text/plain; charset=utf-8" });
  }
  const contentType = "type" in document ? String(document.type) : "application/json";
  sendCached(exchange, { body: document.body, etag: document.etag, contentType });
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

/** The aggregated form, when the client offers it before the legacy one. */
function aggregatedDocument({ discovery }: ServeNeeds, exchange: Exchange, path: string) {
  if (path !== "/api" && path !== "/apis") return undefined;
  for (const { type, parameters } of parseAccept(exchange.header("accept") ?? "")) {
    if (type !== "application/json") continue;
    if (parameters.get("as") === undefined) return undefined;
    const version = parameters.get("v");
    if (parameters.get("g") !== "apidiscovery.k8s.io" || parameters.get("as") !== "APIGroupDiscoveryList") continue;
    if (version !== "v2" && version !== "v2beta1") continue;
    // clients take the answer for the legacy form unless the type is echoed to the letter
    const echoed = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    return { ...discovery.aggregated(path, version), type: echoed };
  }
  return undefined;
}

function serveOpenApi({ openapi }: ServeNeeds, exchange: Exchange, path: string): void {
  const document = path === "/openapi/v3" ? openapi.index() : openapi.ofPath(path.slice("/openapi/v3/".length));
  if (document === undefined)
    return exchange.sendText(404, "404 page not found\n", { "content-type": "text/plain; charset=utf-8" });
  sendCached(exchange, { ...document, contentType: "application/json" });
}

function serveSwagger({ openapi }: ServeNeeds, exchange: Exchange): void {
  const accepted = parseAccept(exchange.header("accept") ?? "").map(({ type }) => type);
  sendCached(exchange, openapi.swagger(accepted));
}

interface Cached {
  readonly body: unknown;
  readonly etag: string;
  readonly contentType: string;
}

function sendCached(exchange: Exchange, { body, etag, contentType }: Cached): void {
  const headers = { etag, vary: "Accept", "content-type": contentType };
  if (exchange.header("if-none-match") === etag) return exchange.sendText(304, "", headers);
  if (typeof body === "string") return exchange.sendText(200, body, headers);
  exchange.sendJson(200, body, headers);
}
