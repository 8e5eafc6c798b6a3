import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { StatusError } from "#api/meta/status-error.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Logger } from "#base/logger.ts";
import { ConnectionCount } from "./connection-count.ts";
import { Exchange, type HttpRequest, type HttpResponse } from "./exchange.ts";
import { FairTurns } from "./fair-turns.ts";
import type { ServerLimits } from "./server-limits.ts";
import { isGone, UnreadAnswers } from "./unread-answers.ts";

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: string;
  readonly privateKey: string;
  /** Client certificates signed by it are believed; without it none is asked for. */
  readonly clientCa?: string;
  readonly log: Logger;
  readonly limits: ServerLimits;
  /** Answers one request. Throws StatusError for what goes to the client as it is. */
  readonly serve: (exchange: Exchange, socket: TLSSocket | undefined) => Promise<void>;
}

/** Go keeps idle connections for 90 s: ours must live longer, or a reused one breaks. */
const keepAliveMs = 120_000;

/** The TLS listener, HTTP/1.1 and HTTP/2, with limits for clients that are slow, many or hostile. */
export class HttpServer {
  readonly #server: Http2SecureServer;
  readonly #options: HttpServerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #firstRequest = new WeakMap<Socket, NodeJS.Timeout>();
  readonly #connections: ConnectionCount;
  readonly #unread: UnreadAnswers;
  readonly #turns = new FairTurns<object>();

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#connections = new ConnectionCount(options.limits.connectionsPerAddress);
    this.#unread = new UnreadAnswers(options.limits);
    this.#server = createSecureServer({
      allowHTTP1: true,
      cert: options.certificate,
      key: options.privateKey,
      ca: options.clientCa,
      requestCert: options.clientCa !== undefined,
      rejectUnauthorized: false, // a bearer token may come instead; `authorized` is looked at before a certificate counts
      minVersion: "TLSv1.2",
      settings: { maxConcurrentStreams: 1_000, maxHeaderListSize: 64 * 1024 },
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      peerMaxConcurrentStreams: 1_000,
      unknownProtocolTimeout: 10_000,
      handshakeTimeout: 10_000,
    });
    this.#limit();
    this.#server.on("request", (request, response) => this.#enqueue(request, response));
    this.#server.on("connection", (socket: Socket) => this.#connections.admit(socket));
    this.#server.on("secureConnection", (socket) => this.#track(socket));
    this.#server.on("sessionError", () => {}); // one broken client session is not the server's business
    this.#server.on("tlsClientError", () => {}); // nor is a failed handshake
  }

  /** Resolves with the port once the server accepts connections. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      const { host, port } = this.#options;
      const refuse = (error: NodeJS.ErrnoException) => reject(listenError(host, port, error));
      this.#server.once("error", refuse);
      this.#server.listen(port, host, () => {
        this.#server.off("error", refuse);
        resolve((this.#server.address() as AddressInfo).port); // a TCP listener has a port
      });
    });
  }

  /** New connections see another certificate; those that stand go on. */
  renewCertificate({ certificate, privateKey }: Pick<HttpServerOptions, "certificate" | "privateKey">): void {
    this.#server.setSecureContext({ cert: certificate, key: privateKey, minVersion: "TLSv1.2" });
  }

  /** Stops accepting and ends open connections. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #limit(): void {
    const server = this.#server as Http2SecureServer & {
      headersTimeout?: number;
      requestTimeout?: number;
      keepAliveTimeout?: number;
      maxConnections?: number;
    }; // the HTTP/1 half of the server has these
    const { connections, headersMs, bodyMs } = this.#options.limits;
    server.headersTimeout = headersMs;
    server.requestTimeout = bodyMs;
    server.keepAliveTimeout = keepAliveMs;
    server.maxConnections = connections;
    server.setTimeout(0);
  }

  #track(socket: TLSSocket): void {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 30_000);
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => {}); // resets are ordinary
    // Node checks its own header limit at intervals that every new connection begins anew: an attacker could put it off for ever
    // (HTTP/2 bounds an unfinished header block by itself)
    if (socket.alpnProtocol === "h2") return;
    const timer = setTimeout(() => socket.destroy(), this.#options.limits.headersMs).unref();
    this.#firstRequest.set(socket, timer);
    socket.once("close", () => clearTimeout(timer));
  }

  #expectBody(request: HttpRequest): void {
    if (!("stream" in request)) clearTimeout(this.#firstRequest.get(request.socket));
    // of HTTP/1 nobody is told that a request without a body has ended, unless it is read: a watch's never is
    const timer = setTimeout(() => request.complete || request.destroy(), this.#options.limits.bodyMs).unref();
    request.once("end", () => clearTimeout(timer));
    request.once("close", () => clearTimeout(timer));
  }

  /** A request begins in its client's turn; one that is cancelled before is never begun. */
  #enqueue(request: HttpRequest, response: HttpResponse): void {
    const client = "stream" in request ? request.stream.session : request.socket;
    if (client === undefined) return;
    this.#turns.take(client, () => {
      if (!isGone(response)) void this.#answer(request, response);
    });
  }

  async #answer(request: HttpRequest, response: HttpResponse): Promise<void> {
    const { log, serve } = this.#options;
    let exchange: Exchange | undefined;
    try {
      response.on("error", () => {}); // the client went away
      this.#expectBody(request);
      exchange = new Exchange(request, response);
      await serve(exchange, tlsSocketOf(request));
    } catch (error: unknown) {
      if (!(error instanceof StatusError))
        log.error("request failed", { method: request.method, path: exchange?.url.pathname, error });
      const status = error instanceof StatusError ? error : StatusError.internal("see the server's log");
      if (exchange === undefined) response.end();
      else exchange.sendError(status);
    }
    this.#unread.add(response);
  }
}

function tlsSocketOf(request: HttpRequest): TLSSocket | undefined {
  const socket = "stream" in request ? request.stream.session?.socket : request.socket;
  return socket as TLSSocket | undefined; // the listener is a TLS one
}

function listenError(host: string, port: number, cause: NodeJS.ErrnoException): HintedError {
  const detail = cause.code === "EADDRINUSE" ? "the port is in use" : cause.message;
  const hint = "stop what listens there, or choose another port with --port (0: any free one)";
  return new HintedError(`cannot listen on ${host}:${port}: ${detail}`, hint, { cause });
}
