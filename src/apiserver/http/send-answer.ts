import type { ObjectList } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { apiVersionOf } from "#apiserver/registry.ts";
import type { ServedAnswer } from "#apiserver/served-answer.ts";
import { stringifyJson } from "#base/json.ts";
import type { Exchange } from "./exchange.ts";
import { type Conversion, type Negotiated, notAcceptable } from "./negotiate.ts";
import type { ObjectTexts } from "./object-text.ts";
import { partialOf, readIncludeObject, type TableRequest, tableOf } from "./table.ts";
import { abandon } from "./unread-answers.ts";

export interface AnswerContext {
  readonly negotiated: Negotiated;
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

function sendDocument(exchange: Exchange, code: number, value: unknown, { negotiated }: AnswerContext): void {
  exchange.sendDocument(code, value, negotiated);
}

interface ObjectAnswer {
  readonly object: ApiObject;
  readonly type: ResourceType;
}

function sendObject(exchange: Exchange, code: number, { object, type }: ObjectAnswer, context: AnswerContext): void {
  const { negotiated, texts } = context;
  const { conversion } = negotiated;
  if (conversion !== undefined) {
    const converted = convertedObject(exchange, { object, type }, { ...context, conversion });
    return sendDocument(exchange, code, converted, context);
  }
  if (isPlain(exchange, negotiated))
    return exchange.sendText(code, texts.textOf(object), { "content-type": "application/json" });
  sendDocument(exchange, code, object, context);
}

/** Texts that are kept need not be made. */
function isPlain(exchange: Exchange, { format, pretty }: Negotiated): boolean {
  return format === "json" && !pretty && !exchange.pretty;
}

type ConvertingContext = AnswerContext & { readonly conversion: Conversion };

function convertedObject(exchange: Exchange, { object, type }: ObjectAnswer, context: ConvertingContext): object {
  const { kind, version } = context.conversion;
  if (kind === "Table") {
    const { resourceVersion } = object.metadata;
    return tableOf([object], tableRequest(exchange, type, context), { metadata: { resourceVersion } });
  }
  if (kind === "PartialObjectMetadata") return partialOf(object, version);
  if (type.custom) throw new StatusError(500, "", "content is not a list");
  throw notAcceptable(`you requested ${kind}, but the requested object is not a list (${goTypeOf(type, type.kind)})`);
}

interface ListAnswer {
  readonly list: ObjectList;
  readonly type: ResourceType;
}

async function sendList(exchange: Exchange, { list, type }: ListAnswer, context: AnswerContext): Promise<void> {
  const { negotiated, texts } = context;
  const { items, ...metadata } = list;
  const { conversion } = negotiated;
  if (conversion !== undefined) {
    const converted = convertedList(exchange, { list, type }, { ...context, conversion });
    return sendDocument(exchange, 200, converted, context);
  }
  const head = { kind: type.listKind, apiVersion: apiVersionOf(type), metadata };
  if (!isPlain(exchange, negotiated))
    return sendDocument(exchange, 200, { ...head, items: items.map((item) => listItem(type, item)) }, context);
  const textOf = type.custom ? (item: ApiObject) => texts.textOf(item) : (item: ApiObject) => texts.itemTextOf(item);
  await sendInSlices(exchange, stringifyJson(head), items, textOf);
}

function convertedList(exchange: Exchange, { list, type }: ListAnswer, context: ConvertingContext): object {
  const { items, ...metadata } = list;
  const { kind, group, version } = context.conversion;
  if (kind === "Table") return tableOf(items, tableRequest(exchange, type, context), { metadata });
  if (kind === "PartialObjectMetadataList")
    return { kind, apiVersion: `${group}/${version}`, metadata, items: items.map((item) => partialOf(item, version)) };
  throw notAcceptable(`you requested ${kind}, but the requested object is a list (${goTypeOf(type, type.listKind)})`);
}

/** As Go names what it holds of a kind: `*core.Pod`. */
function goTypeOf({ custom, group }: ResourceType, kind: string): string {
  if (custom) return "*unstructured.UnstructuredList";
  return `*${group === "" || group === "events.k8s.io" ? "core" : group.split(".")[0]}.${kind}`;
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

function tableRequest(exchange: Exchange, type: ResourceType, context: ConvertingContext): TableRequest {
  const { conversion, nowMs } = context;
  return { type, version: conversion.version, include: readIncludeObject(exchange.url.searchParams), nowMs };
}
