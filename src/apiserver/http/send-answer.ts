import type { ObjectList } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { apiVersionOf } from "#apiserver/registry.ts";
import type { ServedAnswer } from "#apiserver/served-answer.ts";
import { stringifyJson } from "#base/json.ts";
import { printYaml } from "#base/print-yaml.ts";
import type { Exchange } from "./exchange.ts";
import type { Representation } from "./negotiate.ts";
import type { ObjectTexts } from "./object-text.ts";
import { partialOf, readIncludeObject, type TableRequest, tableOf } from "./table.ts";
import { abandon } from "./unread-answers.ts";

export interface AnswerContext {
  readonly representation: Representation;
  readonly texts: ObjectTexts;
  readonly nowMs: number;
}

type Settled = Exclude<ServedAnswer, { readonly kind: "watch" }>;

/** Long lists are written in slices, so that one reader does not hold up the others. */
const sliceCharacters = 512 * 1024;
/** A reader that does not take a slice within this time is given up. */
const sliceMs = 10_000;

/** Writes an object, a list or a document as the client wants to see it. */
export async function sendAnswer(exchange: Exchange, answer: Settled, context: AnswerContext): Promise<void> {
  switch (answer.kind) {
    case "document":
      return sendDocument(exchange, answer.code, answer.document, context);
    case "object":
      exchange.addWarnings(answer.warnings);
      return sendObject(exchange, answer.code, answer, context);
    case "list":
      return sendList(exchange, answer, context);
  }
}

function sendDocument(exchange: Exchange, code: number, value: unknown, { representation }: AnswerContext): void {
  if (representation.as === "yaml") {
    exchange.sendText(code, printYaml(value), { "content-type": "application/yaml" });
    return;
  }
  exchange.sendJson(code, value);
}

interface ObjectAnswer {
  readonly object: ApiObject;
  readonly type: ResourceType;
}

function sendObject(exchange: Exchange, code: number, { object, type }: ObjectAnswer, context: AnswerContext): void {
  const { representation, texts } = context;
  if (representation.as === "table") {
    const { resourceVersion } = object.metadata;
    const metadata = { resourceVersion };
    return exchange.sendJson(code, tableOf([object], tableRequest(exchange, type, context), { metadata }));
  }
  if (representation.as === "partial") return exchange.sendJson(code, partialOf(object, representation.version));
  if (representation.as === "yaml" || exchange.pretty) return sendDocument(exchange, code, object, context);
  exchange.sendText(code, texts.textOf(object), { "content-type": "application/json" });
}

interface ListAnswer {
  readonly list: ObjectList;
  readonly type: ResourceType;
}

async function sendList(exchange: Exchange, { list, type }: ListAnswer, context: AnswerContext): Promise<void> {
  const { representation, texts } = context;
  const { items, ...metadata } = list;
  if (representation.as === "table") {
    return exchange.sendJson(200, tableOf(items, tableRequest(exchange, type, context), { metadata }));
  }
  if (representation.as === "partial") {
    const partial = items.map((item) => partialOf(item, representation.version));
    const apiVersion = `meta.k8s.io/${representation.version}`;
    return exchange.sendJson(200, { kind: "PartialObjectMetadataList", apiVersion, metadata, items: partial });
  }
  const head = { kind: type.listKind, apiVersion: apiVersionOf(type), metadata };
  if (representation.as === "yaml" || exchange.pretty)
    return sendDocument(exchange, 200, { ...head, items: items.map((item) => listItem(type, item)) }, context);
  const textOf = type.custom ? (item: ApiObject) => texts.textOf(item) : (item: ApiObject) => texts.itemTextOf(item);
  await sendInSlices(exchange, stringifyJson(head), items, textOf);
}

function listItem(type: ResourceType, item: ApiObject): unknown {
  if (type.custom) return item;
  const { kind: _, apiVersion: __, ...rest } = item;
  return rest;
}

async function sendInSlices(
  exchange: Exchange,
  head: string,
  items: readonly ApiObject[],
  textOf: (item: ApiObject) => string,
): Promise<void> {
  const { response } = exchange;
  let slice = `${head.slice(0, -1)},"items":[`;
  for (const [index, item] of items.entries()) {
    slice += index === 0 ? textOf(item) : `,${textOf(item)}`;
    if (slice.length < sliceCharacters) continue;
    startStreaming(exchange);
    if (!(await writeSlice(exchange, slice))) return;
    slice = "";
  }
  slice += "]}";
  if (!response.headersSent) return exchange.sendText(200, slice, { "content-type": "application/json" });
  response.end(slice);
}

function startStreaming({ response }: Exchange): void {
  if (response.headersSent) return;
  response.statusCode = 200;
  response.setHeader("content-type", "application/json");
  response.setHeader("cache-control", "no-cache, private");
}

/** False when the client went away. */
function writeSlice({ response }: Exchange, slice: string): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => abandon(response), sliceMs).unref();
    const done = (alive: boolean) => {
      clearTimeout(timer);
      response.off("drain", drained);
      response.off("close", closed);
      resolve(alive);
    };
    const drained = () => done(true);
    const closed = () => done(false);
    response.once("close", closed);
    // the types of the two protocols' write differ, their meaning does not
    const flushed = (response.write as (chunk: string) => boolean).call(response, slice);
    if (flushed) setImmediate(drained);
    else response.once("drain", drained);
  });
}

function tableRequest(exchange: Exchange, type: ResourceType, { representation, nowMs }: AnswerContext): TableRequest {
  const version = representation.as === "table" ? representation.version : "v1";
  return { type, version, include: readIncludeObject(exchange.url.searchParams), nowMs };
}
