import type { ClientRequest, IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { TLSSocket } from "node:tls";
import type { Clock } from "#base/clock.ts";
import { type AddressRules, expectAllowedHost, type Resolve } from "./address-guard.ts";
import { createAgents, type TlsIdentity, type TunnelProxy } from "./https-agents.ts";
import { type BodyLimits, readBody } from "./read-body.ts";
import type { WireRequest } from "./request-of-call.ts";
import type { ObjectParts } from "./wire-object.ts";
import { FencedError, type WriteFence } from "./write-fence.ts";

/** Where an API server is, and as whom we talk to it. */
export interface ServerAccess {
  /** https, without user, query or fragment; a path is put before every other. */
  readonly server: URL;
  readonly identity: TlsIdentity;
  /** A bearer token, or where to find the present one: tokens are rotated while we run. */
  readonly token?: string | (() => Promise<string | undefined>) | undefined;
  readonly proxy?: TunnelProxy | undefined;
}

/** What a way to a server is made of, but for whom it leads to. */
export interface WireSettings extends ObjectParts {
  readonly addresses: AddressRules;
  readonly clock: Clock;
  readonly limits?: Partial<WireLimits> | undefined;
  readonly resolve?: Resolve | undefined;
  /** Told of every request once its answer has begun, or there is none. */
  readonly observe?: ((request: ObservedRequest) => void) | undefined;
  /** Asked at the last moment before each write leaves; throws when nothing may be written any more. */
  readonly fence?: WriteFence | undefined;
}

export interface ObservedRequest {
  readonly method: string;
  /** `host:port` of the server. */
  readonly host: string;
  /** `<error>` where there was no answer. */
  readonly code: string;
}

export interface WireNeeds extends ServerAccess, WireSettings {}

export interface WireLimits extends BodyLimits {
  /** Until the connection stands and the answer begins. */
  readonly answerMs: number;
  /** How long a server that does not answer is left alone at most. */
  readonly maxPauseMs: number;
  /** What all pages of a list may take. */
  readonly maxListBytes: number;
  /** Pages that a watch tells one by one may take more than that, if they bring many objects and not large ones: so much for each. */
  readonly toldBytesEach: number;
}

export const defaultLimits: WireLimits = {
  answerMs: 30_000,
  maxPauseMs: 10_000,
  maxListBytes: 256 * 1024 * 1024,
  toldBytesEach: 16 * 1024,
  maxBytes: 16 * 1024 * 1024,
  minBytesPerWindow: 8 * 1024,
  windowMs: 10_000,
  totalMs: 120_000,
};

/** For whoever asks a control plane what concerns all of a fleet: a plan tells of every copy, in answers of tens of megabytes. */
export const fleetAnswers = { maxBytes: defaultLimits.maxListBytes } satisfies Partial<WireLimits>;

export interface WireAnswer {
  readonly code: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

export interface SendOptions {
  readonly accept?: string;
  readonly ifNoneMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The server gave no answer, or none that can be used. */
export class WireError extends Error {}

/** HTTPS to one server, and to no other: bounded in bytes and time, blind to redirects and to the environment's proxies. */
export class HttpsWire {
  readonly #needs: WireNeeds;
  readonly #limits: WireLimits;
  readonly #agents: ReturnType<typeof createAgents>;
  readonly #open = new Set<ClientRequest>();
  readonly #prefix: string;
  readonly #streams = new Set<IncomingMessage>();
  #closed = false;
  /** The token that was sent last. */
  #bearer: string | undefined;

  constructor(needs: WireNeeds) {
    expectAllowedHost(needs.server.hostname, needs.addresses);
    this.#needs = needs;
    this.#limits = { ...defaultLimits, ...needs.limits };
    this.#agents = createAgents(needs);
    this.#prefix = needs.server.pathname.replace(/\/+$/, "");
  }

  /** One request and its whole answer. What only reads is tried twice when the connection breaks. */
  async send(request: WireRequest, options: SendOptions = {}): Promise<WireAnswer> {
    try {
      return await this.#exchange(request, options);
    } catch (error: unknown) {
      const again = request.method === "GET" && !this.#closed && options.signal?.aborted !== true;
      if (!again || !isBroken(error)) throw this.#failure(error);
    }
    return this.#exchange(request, options).catch((error: unknown) => {
      throw this.#failure(error);
    });
  }

  /** A request whose answer goes on; the caller reads it, or destroys it. */
  async stream(request: WireRequest): Promise<IncomingMessage> {
    try {
      const response = await this.#answer(request, { encoding: "identity", agent: this.#agents.streams });
      this.#streams.add(response);
      response.once("close", () => this.#streams.delete(response));
      return response;
    } catch (error: unknown) {
      throw this.#failure(error);
    }
  }

  /** The rest of a streamed answer, when it turns out to be no stream. */
  async readRest(response: IncomingMessage): Promise<string> {
    const text = await readBody(response, this.#limits, this.#needs.clock);
    return isFailure(response) ? this.#withoutToken(text) : text;
  }

  /** Ends all streams, as if the server had: for when it does not answer, and they may be dead without anybody having said so. */
  breakStreams(): void {
    for (const response of this.#streams) response.destroy();
  }

  /** Breaks off everything that is under way. */
  close(): void {
    this.#closed = true;
    for (const request of this.#open) request.destroy(new Error("the connection is closed"));
    this.#agents.calls.destroy();
    this.#agents.streams.destroy();
  }

  async #exchange(request: WireRequest, options: SendOptions): Promise<WireAnswer> {
    const response = await this.#answer(request, { ...options, encoding: "gzip", agent: this.#agents.calls });
    const text = await this.readRest(response);
    const code = response.statusCode ?? 0;
    if (code >= 300 && code < 400 && code !== 304)
      throw new Error(`the server redirects (code ${code}), which is not followed`);
    return { code, text, header: (name) => headerOf(response, name) };
  }

  async #answer(request: WireRequest, options: SendOptions & Connection): Promise<IncomingMessage> {
    const { server, clock, token, observe } = this.#needs;
    const bearer = typeof token === "function" ? await token() : token;
    this.#bearer = bearer;
    if (this.#closed) throw new Error("the connection is closed");
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest({
        host: server.hostname.replace(/^\[|\]$/g, ""),
        port: server.port === "" ? 443 : Number(server.port),
        method: request.method,
        path: `${this.#prefix}${request.path}`,
        headers: headersOf(request, { ...options, bearer }),
        agent: options.agent,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      this.#open.add(outgoing);
      const { answerMs = this.#limits.answerMs } = request;
      const stop = clock.after(answerMs, () => outgoing.destroy(new Error("the server does not answer")));
      outgoing.once("socket", (socket) => outgoing.reusedSocket || socket.setKeepAlive(true, 30_000));
      outgoing.once("close", () => {
        stop();
        this.#open.delete(outgoing);
      });
      let hasBegun = false;
      const tell = (code: string) => observe?.({ method: request.method, host: server.host, code });
      outgoing.on("error", (error) => {
        if (!hasBegun) tell("<error>");
        reject(error); // after the answer began, the answer tells
      });
      outgoing.once("response", (response) => {
        stop();
        hasBegun = true;
        tell(String(response.statusCode));
        response.on("error", () => {}); // whoever reads it listens, too; this is for the time before
        resolve(response);
      });
      this.#sendWhenConnected(outgoing, request);
    });
  }

  /**
   * A write leaves once its connection stands, not when it was asked for: requests wait for connections, and connections for
   * handshakes, and meanwhile the right to write may have ended.
   */
  #sendWhenConnected(outgoing: ClientRequest, { method, body }: WireRequest): void {
    const { fence } = this.#needs;
    if (fence === undefined || method === "GET") return void outgoing.end(body);
    const send = () => {
      try {
        fence.expectOpen();
        outgoing.end(body);
      } catch (error: unknown) {
        outgoing.destroy(error as Error); // what fences throw
      }
    };
    outgoing.once("socket", (socket) => {
      const isSecure = outgoing.reusedSocket || (socket as TLSSocket).getCipher?.()?.name !== undefined; // of an https agent
      if (isSecure) send();
      else socket.once("secureConnect", send);
    });
  }

  /** What servers complain of becomes conditions and events, which many read: one that repeats what it was sent must not tell them (SEC-16). */
  #withoutToken(text: string): string {
    return this.#bearer ? text.replaceAll(this.#bearer, "[token]") : text;
  }

  #failure(error: unknown): Error {
    if (error instanceof FencedError) return error;
    const { code, message } = error as NodeJS.ErrnoException; // Node's errors have a code, ours have words
    const detail = code === undefined ? message : String(code);
    return new WireError(`cannot talk to ${this.#needs.server.origin}: ${detail}`, { cause: error });
  }
}

function headersOf(
  { contentType, body }: WireRequest,
  options: SendOptions & Connection & { bearer: string | undefined },
) {
  const { accept, encoding, ifNoneMatch, bearer } = options;
  return {
    accept: accept ?? "application/json",
    "accept-encoding": encoding,
    "user-agent": "flotilla",
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
    ...(body === undefined ? {} : { "content-type": contentType, "content-length": String(Buffer.byteLength(body)) }),
  };
}

interface Connection {
  readonly encoding: "gzip" | "identity";
  readonly agent: ReturnType<typeof createAgents>["calls"];
}

function isFailure({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 400;
}

function isBroken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException; // as above
  return code === "ECONNRESET" || code === "EPIPE";
}

function headerOf(response: IncomingMessage, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
