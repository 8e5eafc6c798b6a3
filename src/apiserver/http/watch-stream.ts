import type { WatchEvent, WatchSource } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { apiVersionOf } from "#apiserver/registry.ts";
import { stringifyJson } from "#base/json.ts";
import type { Exchange, HttpResponse } from "./exchange.ts";
import type { AnswerContext } from "./send-answer.ts";
import { partialOf, readIncludeObject, type TableRequest, tableOf } from "./table.ts";
import { WatchWriter } from "./watch-writer.ts";

/**
 * Sends a watch as newline-delimited JSON until the client goes, the server ends it or the client falls behind.
 * Resolves when it is over.
 */
export function streamWatch(
  exchange: Exchange,
  source: WatchSource,
  options: AnswerContext & { readonly type: ResourceType },
): Promise<void> {
  const { response } = exchange;
  const print = linePrinter(exchange, options);
  response.statusCode = 200;
  response.setHeader("content-type", "application/json");
  response.setHeader("cache-control", "no-cache, private");
  flushHeaders(response); // kubectl waits for the headers before anything happens
  return new Promise((resolve) => {
    const writer = new WatchWriter(response, () => line("ERROR", stringifyJson(tooSlow.toStatus())));
    let stop: (() => void) | undefined;
    let over = false;
    const finish = () => {
      if (over) return;
      over = true;
      stop?.();
      writer.end();
      resolve();
    };
    const send = (event: WatchEvent) => {
      if (over) return;
      writer.write(print(event));
      if (writer.isOver) finish();
    };
    response.once("close", finish);
    response.once("error", finish);
    stop = source.start({ event: send, end: finish });
    writer.initialWritten();
    if (over) stop();
  });
}

const tooSlow = StatusError.expired("too slow to follow: what was not sent is dropped, please list and watch again");

function flushHeaders(response: HttpResponse): void {
  if ("flushHeaders" in response) response.flushHeaders();
  else response.stream.respond({ ":status": response.statusCode, ...response.getHeaders() });
}

function linePrinter(
  exchange: Exchange,
  { negotiated: { conversion }, type, texts, nowMs }: AnswerContext & { readonly type: ResourceType },
): (event: WatchEvent) => string {
  if (conversion?.kind === "Table") {
    const include = readIncludeObject(exchange.url.searchParams);
    return tablePrinter({ type, version: conversion.version, include, nowMs });
  }
  if (conversion !== undefined) {
    const { version } = conversion;
    return (event) => printOther(type, event) ?? line(event.type, stringifyJson(partialOf(objectOf(event), version)));
  }
  return (event) => printOther(type, event) ?? texts.lineOf(event.type, objectOf(event));
}

function tablePrinter(request: TableRequest): (event: WatchEvent) => string {
  let first = true;
  return (event) => {
    const other = event.type === "ERROR" ? printOther(request.type, event) : undefined;
    if (other !== undefined) return other;
    const withColumns = first;
    first = false;
    if (event.type === "BOOKMARK") {
      const metadata = bookmarkMetadata(event);
      return line("BOOKMARK", stringifyJson(tableOf([], request, { metadata, withColumns })));
    }
    const object = objectOf(event);
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return line(event.type, stringifyJson(tableOf([object], request, { metadata, withColumns })));
  };
}

/** Errors and bookmarks look the same in every representation but tables. */
function printOther(type: ResourceType, event: WatchEvent): string | undefined {
  if (event.type === "ERROR") return line("ERROR", stringifyJson(event.status));
  if (event.type !== "BOOKMARK") return undefined;
  return line(
    "BOOKMARK",
    stringifyJson({ kind: type.kind, apiVersion: apiVersionOf(type), metadata: bookmarkMetadata(event) }),
  );
}

function bookmarkMetadata(event: Extract<WatchEvent, { readonly type: "BOOKMARK" }>): object {
  const { resourceVersion, initialEventsEnd } = event;
  const mark = initialEventsEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  return { resourceVersion, ...mark };
}

function objectOf(event: WatchEvent): ApiObject {
  if (event.type === "BOOKMARK" || event.type === "ERROR") throw new Error(`a ${event.type} event has no object`);
  return event.object;
}

function line(type: string, objectText: string): string {
  return `{"type":"${type}","object":${objectText}}\n`;
}
