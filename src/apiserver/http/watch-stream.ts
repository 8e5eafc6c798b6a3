import type { WatchEvent, WatchSource } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { apiVersionOf } from "#apiserver/registry.ts";
import { stringifyJson } from "#base/json.ts";
import type { Exchange, HttpResponse } from "./exchange.ts";
import type { AnswerContext } from "./send-answer.ts";
import { partialOf, readIncludeObject, type TableRequest, tableOf } from "./table.ts";

/** A client that lets this much pile up is too slow: its stream ends and it resumes from its last revision. */
const maxBacklogBytes = 1024 * 1024;

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
    let stop: (() => void) | undefined;
    let over = false;
    const finish = () => {
      if (over) return;
      over = true;
      stop?.();
      response.end();
      resolve();
    };
    let initial = true;
    const send = (line: string | Buffer) => {
      if (over) return;
      (response.write as (chunk: string | Buffer) => boolean).call(response, line); // the same in both protocols
      // ending it in order would keep the backlog until the client reads on
      if (!initial && response.writableLength > maxBacklogBytes) response.destroy();
    };
    response.once("close", finish);
    response.once("error", finish);
    stop = source.start({ event: (event) => send(print(event)), end: finish });
    initial = false;
    if (over) stop();
  });
}

function flushHeaders(response: HttpResponse): void {
  if ("flushHeaders" in response) response.flushHeaders();
  else response.stream.respond({ ":status": response.statusCode, ...response.getHeaders() });
}

function linePrinter(
  exchange: Exchange,
  { representation, type, texts, nowMs }: AnswerContext & { readonly type: ResourceType },
): (event: WatchEvent) => string | Buffer {
  if (representation.as === "table") {
    const include = readIncludeObject(exchange.url.searchParams);
    return tablePrinter({ type, version: representation.version, include, nowMs });
  }
  if (representation.as === "partial") {
    const { version } = representation;
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
