import type { IncomingMessage } from "node:http";
import { StringDecoder } from "node:string_decoder";
import type { WatchEvent, WatchSource } from "#api/meta/api-call.ts";
import type { Clock } from "#base/clock.ts";
import { isJsonObject, type JsonObject, member } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import type { ReadTexts } from "./read-texts.ts";
import { type ObjectParts, objectOf } from "./wire-object.ts";

/** How objects are read. */
export interface Reading {
  readonly parts: ObjectParts;
  /** What was read lately, from answers and events. */
  readonly texts: ReadTexts;
}

export interface WatchStreamOptions extends Reading {
  readonly clock: Clock;
  /** A stream on which nothing came for so long is dead. */
  readonly idleMs: number;
}

/** One event; larger than any object that a server stores. */
const maxLine = 8 * 1024 * 1024;

/** The events of an answer that goes on: one JSON document on each line. What is no event ends it. */
export function watchStream(response: IncomingMessage, options: WatchStreamOptions): WatchSource {
  return {
    start(listener) {
      let over = false;
      const finish = () => {
        if (over) return false;
        over = true;
        stopIdle();
        response.destroy();
        return true;
      };
      const end = () => void (finish() && listener.end());
      const refuse = (what: string) => void (finish() && listener.end(new Error(`cannot read the watch: ${what}`)));
      let stopIdle = options.clock.after(options.idleMs, end);
      const lines = new LineReader((line) => {
        if (over || line.trim() === "") return;
        const event = readEvent(line, options);
        if (event === undefined) refuse("a line is no event");
        else listener.event(event);
      });
      response.on("data", (chunk: Buffer) => {
        if (over) return;
        stopIdle();
        stopIdle = options.clock.after(options.idleMs, end);
        if (!lines.take(chunk)) refuse(`a line has more than ${maxLine} characters`);
      });
      response.once("end", end);
      response.once("close", end);
      return () => void finish();
    },
  };
}

class LineReader {
  readonly #decoder = new StringDecoder("utf8");
  readonly #line: (line: string) => void;
  #parts: string[] = [];
  #length = 0;

  constructor(line: (line: string) => void) {
    this.#line = line;
  }

  /** False when a line is too long. */
  take(chunk: Buffer): boolean {
    const [rest = "", ...more] = this.#decoder.write(chunk).split("\n");
    this.#add(rest);
    for (const next of more) {
      const line = this.#parts.join("");
      this.#parts = [];
      this.#length = 0;
      this.#line(line);
      this.#add(next);
    }
    return this.#length <= maxLine;
  }

  #add(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}

function readEvent(line: string, reading: Reading): WatchEvent | undefined {
  return attempt(() => readPresent(line, reading)) ?? attempt(() => readAny(line, reading));
}

function attempt<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** How events of objects that are there begin, as every API server writes them; they end with one bracket more than their object. */
const heads = (["MODIFIED", "ADDED"] as const).map((type) => ({ type, head: `{"type":"${type}","object":` }));

/** The event of an object that is there, and that an answer may have brought already; undefined where it may be anything else. */
function readPresent(line: string, { parts, texts }: Reading): WatchEvent | undefined {
  const found = heads.find(({ head }) => line.startsWith(head));
  if (found === undefined || !line.endsWith("}}")) return undefined;
  const { type, head } = found;
  const text = line.slice(head.length, -1);
  const known = texts.take(text);
  if (known !== undefined) return { type, object: known };
  const object = objectOf(parseJson(text).value, parts);
  texts.keep(text, object);
  return { type, object };
}

function readAny(line: string, { parts }: Reading): WatchEvent | undefined {
  const { value } = parseJson(line);
  if (!isJsonObject(value)) return undefined;
  const object = member(value, "object");
  switch (member(value, "type")) {
    case "ADDED":
      return { type: "ADDED", object: objectOf(object, parts) };
    case "MODIFIED":
      return { type: "MODIFIED", object: objectOf(object, parts) };
    case "DELETED":
      return { type: "DELETED", object: objectOf(object, parts) };
    case "BOOKMARK":
      return isJsonObject(object) ? bookmarkOf(object) : undefined;
    case "ERROR":
      return isJsonObject(object) ? { type: "ERROR", status: object } : undefined;
    default:
      return undefined;
  }
}

function bookmarkOf(object: JsonObject): WatchEvent | undefined {
  const metadata = member(object, "metadata");
  if (!isJsonObject(metadata)) return undefined;
  const resourceVersion = member(metadata, "resourceVersion");
  if (typeof resourceVersion !== "string" || resourceVersion === "") return undefined;
  const annotations = member(metadata, "annotations");
  const initialEventsEnd = isJsonObject(annotations) && member(annotations, "k8s.io/initial-events-end") === "true";
  return { type: "BOOKMARK", resourceVersion, initialEventsEnd };
}
