import type { TLSSocket } from "node:tls";
import type { ApiCall, CallOptions, UserInfo } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { ApiServer } from "#apiserver/api-server.ts";
import type { Discovery } from "#apiserver/discovery.ts";
import type { Authenticator } from "#apiserver/identity/authenticate.ts";
import { effectiveUser } from "#apiserver/identity/impersonate.ts";
import { expectListOptions } from "#apiserver/list-options.ts";
import type { OpenApiDocuments } from "#apiserver/openapi/documents.ts";
import { apiVersionOf } from "#apiserver/registry.ts";
import { parseFilter } from "#apiserver/selectors.ts";
import type { ServedAnswer } from "#apiserver/served-answer.ts";
import { decodeBody, decodePatch, type ProtobufDecoder, patchTypeOf } from "./decode-body.ts";
import { readDeleteOptions } from "./deletion-options.ts";
import type { Exchange } from "./exchange.ts";
import { type HealthNeeds, healthRoute, sendHealth } from "./health.ts";
import type { InFlightLimit } from "./in-flight-limit.ts";
import {
  expectProduced,
  expectStreamed,
  type Negotiated,
  negotiateResource,
  producedTypes,
  streamedTypes,
} from "./negotiate.ts";
import { isNowhere, unknownMethod } from "./nowhere.ts";
import type { ObjectTexts } from "./object-text.ts";
import { readOptions } from "./query-options.ts";
import { readBody } from "./read-body.ts";
import { isKnownMethod, type Route, routeOf } from "./route.ts";
import { sendAnswer } from "./send-answer.ts";
import { expectReading, sendNotFound, servePath } from "./serve-path.ts";
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

/** From a request on the wire to its answer: who, what, decode, call, encode. */
export async function serveRequest(
  needs: ServeNeeds,
  exchange: Exchange,
  socket: TLSSocket | undefined,
): Promise<void> {
  const { pathname } = exchange.url;
  const health = healthRoute(pathname);
  if (health !== undefined && health.check === undefined) return sendHealth(needs.health, exchange, health.endpoint);
  if (pathname === "/version") return serveVersion(needs, exchange);
  const user = whoIs(needs, exchange, socket);
  const isKnown = isKnownMethod(exchange.method);
  const route = routeOf(isKnown ? exchange.method : "GET", exchange.url);
  if (route.to === "path") return servePath(needs, exchange, { user, path: route.path });
  if (isNowhere(needs.server, { ...route, isKnown })) return sendNotFound(exchange);
  if (!isKnown) throw unknownMethod(needs.server, route);
  await serveCall(needs, exchange, { user, route });
}

function serveVersion({ version }: ServeNeeds, exchange: Exchange): void {
  expectReading(exchange);
  expectProduced(exchange.header("accept"), ["application/json"]);
  exchange.sendJson(200, version);
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
  const negotiated = negotiatedFor(needs, exchange, { user, route });
  const context = { negotiated, texts: needs.texts, nowMs: needs.server.core.clock.nowMs() };
  const release = needs.limit.enter(user, route.verb);
  const remarks: string[] = [];
  let answer: ServedAnswer;
  try {
    answer = await needs.server.call({ ...(await readCall(needs, exchange, { user, route })), remarks });
    if (answer.kind !== "object" || answer.warnings.length === 0) exchange.addWarnings(remarks);
    if (answer.kind === "watch") expectStreamed(negotiated);
    if (answer.kind === "watch") return await streamWatch(exchange, answer.watch, { ...context, type: answer.type });
  } catch (error: unknown) {
    exchange.addWarnings(remarks);
    throw error;
  } finally {
    release(); // who reads slowly takes nobody's turn
  }
  await sendAnswer(exchange, answer, context);
}

function negotiatedFor(needs: ServeNeeds, exchange: Exchange, resolved: Resolved): Negotiated {
  const accept = exchange.header("accept");
  const { verb, path } = resolved.route;
  const custom = isCustom(needs, path);
  try {
    if (verb === "patch") patchTypeOf(exchange.header("content-type"), { custom });
    if (!custom) expectProduced(accept, verb === "list" || verb === "watch" ? streamedTypes : producedTypes);
    exchange.addWarnings(deprecationAt(needs.server, resolved.route));
    return negotiateResource(accept);
  } catch (error: unknown) {
    expectAnswerable(needs, resolved);
    throw error;
  }
}

function isCustom({ server }: ServeNeeds, { group, version, resource }: ApiCall["path"]): boolean {
  return server.core.registry.get(group, version, resource)?.custom === true;
}

function expectAnswerable(needs: ServeNeeds, { user, route: { verb, path, rest } }: Resolved): void {
  expectEnd(needs, path, rest);
  needs.server.expectAnswerable({ verb, path, user, options: {} });
}

/** Nothing follows a subresource; what follows that of a custom resource is not looked at. */
function expectEnd(needs: ServeNeeds, path: ApiCall["path"], rest: readonly string[]): void {
  if (rest.length > 0 && !isCustom(needs, path)) throw StatusError.unknownResource();
}

/** The call with its options and its body; what is wrong with those is told only of what could be answered. */
async function readCall(needs: ServeNeeds, exchange: Exchange, { user, route }: Resolved): Promise<ApiCall> {
  expectEnd(needs, route.path, route.rest);
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
      const isChecked = options.fieldValidation !== "Ignore";
      const expected = { ...needs, ...expectedAt(needs, path), isChecked };
      const body = decodeBody(await readBody(exchange.request), contentType, expected);
      return { verb, path, user, options, ...body };
    }
    case "patch": {
      const bytes = await readBody(exchange.request);
      const patchType = patchTypeOf(contentType, { custom: isCustom(needs, path) });
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
function deprecationAt({ core }: ApiServer, { verb, path }: Resolved["route"]): readonly string[] {
  const { group, version, resource, subresource, namespace, name } = path;
  const isWrite = verb === "patch" || verb === "update";
  const isMisplaced = name === undefined ? isWrite : namespace === undefined;
  if (subresource !== undefined || isMisplaced) return [];
  const deprecation = core.registry.get(group, version, resource)?.strategy.deprecation;
  return deprecation === undefined ? [] : [deprecation];
}

/** What a body at this place should be. */
function expectedAt({ server }: ServeNeeds, { group, version, resource, subresource }: ApiCall["path"]) {
  const type = server.core.registry.get(group, version, resource);
  const isSelfSaid = type?.custom === true && subresource !== "scale";
  const part = subresource === undefined ? undefined : server.special.get(`${group}/${resource}/${subresource}`);
  return { kind: part?.listed.kind ?? type?.kind ?? "Object", ...(isSelfSaid ? { expects: apiVersionOf(type) } : {}) };
}
