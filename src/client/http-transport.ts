import type { ApiAnswer, ApiCall, ApiTransport, ObjectList, Verb, WatchSource } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import { shareEqual } from "#base/share-equal.ts";
import { BackOffGate } from "./back-off-gate.ts";
import { CallSlots } from "./call-slots.ts";
import { maxConnections } from "./https-agents.ts";
import {
  defaultLimits,
  HttpsWire,
  type SendOptions,
  type WireAnswer,
  WireError,
  type WireLimits,
  type WireNeeds,
} from "./https-wire.ts";
import { listThenWatch } from "./list-then-watch.ts";
import { AnswerTooLargeError } from "./read-body.ts";
import { ReadTexts } from "./read-texts.ts";
import { requestOfCall } from "./request-of-call.ts";
import { statusErrorOf } from "./status-of-answer.ts";
import { type Reading, watchStream } from "./watch-stream.ts";
import { listOf, objectOf } from "./wire-object.ts";

const pageSize = 500;
const maxPages = 2_000;
/** Streams are begun anew now and then, as every client of Kubernetes does: a server's load spreads, a dead one is noticed. */
const watchSeconds = 290;

/** The way to an API server over the network. */
export interface HttpTransport extends ApiTransport {
  /** A document that belongs to no resource: `/version`, discovery. Undefined when the server says that it has not changed. */
  document(
    path: string,
    options?: SendOptions,
  ): Promise<{ readonly etag: string | undefined; readonly value: JsonObject } | undefined>;
  /**
   * The code that a health endpoint answers with. Asks even a server that is left alone otherwise; where there is no answer,
   * streams end, too, to be begun anew.
   */
  probe(path: string, signal: AbortSignal): Promise<number>;
  /** Ends streams, to be begun anew elsewhere; calls under way come to their end. */
  retire(): void;
  close(): void;
}

/** Calls over HTTPS: what the in-process server answers to a call, this one answers too. */
export function createHttpTransport(needs: WireNeeds): HttpTransport {
  return new WireTransport(needs);
}

class WireTransport implements HttpTransport {
  readonly #wire: HttpsWire;
  readonly #gate: BackOffGate;
  readonly #slots = new CallSlots(maxConnections);
  readonly #texts = new ReadTexts();
  readonly #needs: WireNeeds;
  readonly #reading: Reading;
  readonly #limits: WireLimits;

  constructor(needs: WireNeeds) {
    this.#needs = needs;
    this.#reading = { parts: needs, texts: this.#texts };
    this.#wire = new HttpsWire(needs);
    this.#limits = { ...defaultLimits, ...needs.limits };
    this.#gate = new BackOffGate(needs.clock, this.#limits.maxPauseMs);
  }

  async call(call: ApiCall): Promise<ApiAnswer> {
    if (call.verb === "watch") return { kind: "watch", watch: await this.#watch(call) };
    if (call.verb === "list" && call.options.limit === undefined)
      return { kind: "list", list: await this.#listAll(call) };
    if (call.verb === "list") return { kind: "list", list: (await this.#page(call)).list };
    const ask = async () => answerOf(call, await this.#send(requestOfCall(call)), this.#reading);
    return writing.has(call.verb) ? this.#texts.during(ask) : ask();
  }

  async document(path: string, options: SendOptions = {}) {
    const answer = await this.#send({ method: "GET", path }, options);
    if (answer.code === 304) return undefined;
    return { etag: answer.header("etag"), value: readJson(answer) };
  }

  async probe(path: string, signal: AbortSignal): Promise<number> {
    try {
      const { code } = await this.#wire.send({ method: "GET", path }, { signal });
      this.#gate.answered();
      return code;
    } catch (error: unknown) {
      this.#wire.breakStreams();
      throw error;
    }
  }

  retire(): void {
    this.#wire.breakStreams();
  }

  close(): void {
    this.#wire.close();
  }

  /** Whole lists are fetched in pages, so that no answer is large; what they add up to is bounded. */
  async #listAll(call: ApiCall): Promise<ObjectList> {
    const items: ObjectList["items"][number][] = [];
    for await (const list of this.#pages(call, 0)) {
      items.push(...list.items);
      if (list.continue === undefined) return { resourceVersion: list.resourceVersion, items };
    }
    throw new Error("cannot list: there was no page");
  }

  /** Each object may take so many bytes where all of them take more than a list may. */
  async *#pages(call: ApiCall, bytesEach: number): AsyncGenerator<ObjectList> {
    const { maxListBytes } = this.#limits;
    let bytes = 0;
    let objects = 0;
    let limit = pageSize;
    let next: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const options = { ...call.options, limit, ...(next === undefined ? {} : { continue: next }) };
      const fetched = await this.#page({ ...call, verb: "list", options }).catch((error: unknown) =>
        tooLargeFor(limit, error),
      );
      if (fetched === undefined) {
        limit = Math.ceil(limit / 10); // large objects: fewer of them at once
        continue;
      }
      const { list, size } = fetched;
      bytes += size;
      objects += list.items.length;
      if (bytes > Math.max(maxListBytes, objects * bytesEach))
        throw new Error(`cannot list ${call.path.resource}: more than ${maxListBytes} bytes`);
      yield list;
      next = list.continue;
      if (next === undefined) return;
    }
    throw new Error(`cannot list ${call.path.resource}: more than ${maxPages} pages`);
  }

  async #page(call: ApiCall): Promise<{ readonly list: ObjectList; readonly size: number }> {
    const answer = await this.#send(requestOfCall(call));
    return { list: listOf(readJson(answer), this.#needs), size: answer.text.length };
  }

  /** A watch that is to begin with the present state begins with a list: every server can do that, and pages bound it. */
  async #watch(call: ApiCall): Promise<WatchSource> {
    const { sendInitialEvents, resourceVersionMatch: _, ...options } = call.options;
    if (sendInitialEvents !== true) return this.#openWatch({ ...call, options });
    const { resourceVersion: __, allowWatchBookmarks: ___, timeoutSeconds: ____, ...listing } = options;
    return listThenWatch({
      pages: this.#pages({ ...call, options: listing }, this.#limits.toldBytesEach),
      watch: (resourceVersion) => this.#openWatch({ ...call, options: { ...options, resourceVersion } }),
    });
  }

  async #openWatch(call: ApiCall): Promise<WatchSource> {
    const { timeoutSeconds = watchSeconds } = call.options;
    const request = requestOfCall({ ...call, options: { ...call.options, timeoutSeconds } });
    this.#gate.enter();
    const response = await this.#wire.stream(request).catch((error: unknown) => this.#unanswered(error));
    const code = response.statusCode ?? 0;
    if (code === 200 && isJson(response.headers["content-type"])) {
      this.#gate.answered();
      const idleMs = (timeoutSeconds + 30) * 1_000;
      return watchStream(response, { ...this.#reading, clock: this.#needs.clock, idleMs });
    }
    const text = await this.#wire.readRest(response).catch((error: unknown) => this.#unanswered(error));
    this.#refuse({ code, text, header: (name) => response.headers[name]?.toString() });
    throw new Error("cannot watch: the answer is no stream of JSON");
  }

  async #send(request: Parameters<HttpsWire["send"]>[0], options: SendOptions = {}): Promise<WireAnswer> {
    this.#gate.enter();
    await this.#slots.take();
    try {
      this.#gate.enter(); // once more: it may have asked for time meanwhile
      const answer = await this.#wire.send(request, options).catch((error: unknown) => this.#unanswered(error));
      this.#refuse(answer);
      this.#gate.answered();
      this.#slots.widen();
      return answer;
    } finally {
      this.#slots.free();
    }
  }

  #refuse({ code, text, header }: WireAnswer): void {
    if ((code >= 200 && code < 300) || code === 304) return;
    const error = statusErrorOf({ code, text, retryAfter: header("retry-after") });
    const asksForTime = code === 429 || (code === 503 && error.details?.retryAfterSeconds !== undefined);
    if (!asksForTime) this.#gate.answered();
    else if (this.#gate.pause(error)) this.#slots.narrow();
    throw error;
  }

  #unanswered(error: unknown): never {
    if (isTooLarge(error)) this.#gate.answered();
    else if (error instanceof WireError) this.#gate.failed(error);
    throw error;
  }
}

/** Their kinds are questions: what comes back is an answer, and no object. */
const reviewGroups = ["authorization.k8s.io", "authentication.k8s.io"];

/** Verbs whose answer is the object as it was written, of which watches tell, too. */
const writing: ReadonlySet<string> = new Set<Verb>(["create", "update", "patch"]);

function answerOf(call: ApiCall, answer: WireAnswer, { parts, texts }: Reading): ApiAnswer {
  const { verb, path } = call;
  const text = answer.text.trimEnd();
  const known = writing.has(verb) ? texts.take(text) : undefined;
  if (known !== undefined) return objectAnswer(call, answer, known);
  const value = readJson(answer);
  if (verb === "deletecollection") {
    if (value["kind"] === "Status") return { kind: "document", code: 200, document: value };
    return { kind: "list", list: listOf(value, parts) };
  }
  const isObject =
    (path.subresource === undefined || path.subresource === "status") &&
    value["kind"] !== "Status" &&
    !reviewGroups.includes(path.group);
  if (!isObject) return { kind: "document", code: codeOf(answer), document: value };
  const object = objectOf(value, parts);
  if (writing.has(verb)) texts.keep(text, object);
  return objectAnswer(call, answer, object);
}

function objectAnswer({ verb, path, body }: ApiCall, answer: WireAnswer, object: ApiObject): ApiAnswer {
  if (path.name !== undefined && object.metadata.name !== path.name)
    throw new Error(`cannot use the server's answer: asked for ${path.name}, got another object`);
  // mostly it is what was written, parts of which are kept elsewhere: they are kept once
  const written = verb === "create" || verb === "update" ? shareEqual(object, body) : object;
  return { kind: "object", code: codeOf(answer), object: written, warnings: [] };
}

function codeOf({ code }: WireAnswer): 200 | 201 {
  return code === 201 ? 201 : 200;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof WireError && error.cause instanceof AnswerTooLargeError;
}

/** Undefined when a smaller page may help. */
function tooLargeFor(limit: number, error: unknown): undefined {
  if (limit > 1 && isTooLarge(error)) return undefined;
  throw error;
}

function readJson(answer: WireAnswer): JsonObject {
  if (!isJson(answer.header("content-type"))) throw new Error("cannot use the server's answer: it is no JSON");
  const { value } = parseJson(answer.text);
  if (!isJsonObject(value)) throw new Error("cannot use the server's answer: it is no object");
  return value;
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType ?? "");
}
