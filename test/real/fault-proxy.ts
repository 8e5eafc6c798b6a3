import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, request as httpsRequest, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { KubeCluster } from "./kube-cluster.ts";

/** What becomes of a request instead of an answer of the server's own. */
export type Fault =
  | { readonly do: "refuse"; readonly code: number; readonly retryAfterSeconds?: number }
  /** The server never hears of it. */
  | { readonly do: "loseRequest" }
  /** The server did what it was asked for, and nobody learns of it. */
  | { readonly do: "loseAnswer" };

/** A request that came, and what was answered. */
export interface SeenRequest {
  /** Requests with the same number followed each other on one connection: whoever sent one had the answer to the last. */
  readonly connection: number;
  readonly method: string;
  readonly url: URL;
  readonly isWatch: boolean;
  readonly atMs: number;
  answer?: { readonly code: number; readonly retryAfterSeconds: number | undefined; readonly atMs: number };
}

/** Stands between a client and a kube-apiserver, in whose name it answers, and breaks what it is told to break. */
export class FaultProxy implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  /** Asked about every request. */
  decide: (request: SeenRequest) => Fault | undefined = () => undefined;
  readonly #cluster: KubeCluster;
  readonly #server: Server;
  readonly #connections = new Map<Socket, number>();
  readonly #streams = new Set<Socket>();

  private constructor(cluster: KubeCluster) {
    this.#cluster = cluster;
    const { certificate: cert, privateKey: key } = cluster.pki.server;
    this.#server = createServer({ cert, key }, (request, response) => this.#take(request, response));
    this.#server.on("secureConnection", (socket: Socket) => {
      this.#connections.set(socket, this.#connections.size);
      socket.on("error", () => {}); // clients come and go
    });
  }

  static async start(cluster: KubeCluster): Promise<FaultProxy> {
    const proxy = new FaultProxy(cluster);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens
  }

  /** Cuts every watch in the middle of whatever it was saying. */
  cutStreams(): void {
    for (const socket of this.#streams) socket.destroy();
    this.#streams.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#connections.keys()) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.url);
    const seen: SeenRequest = {
      connection: this.#connections.get(request.socket) ?? -1,
      method: request.method ?? "",
      url,
      isWatch: url.searchParams.has("watch"),
      atMs: Date.now(),
    };
    this.seen.push(seen);
    const fault = this.decide(seen);
    if (fault?.do === "loseRequest") return void request.socket.destroy();
    if (fault?.do === "refuse") return this.#refuse(fault, { seen, request, response });
    if (seen.isWatch) this.#streams.add(request.socket);
    this.#handOn(request, { seen, response, isLost: fault?.do === "loseAnswer" });
  }

  /** As a gateway does: with a page that is no Status. */
  #refuse(
    { code, retryAfterSeconds }: Extract<Fault, { do: "refuse" }>,
    { seen, request, response }: { seen: SeenRequest; request: IncomingMessage; response: ServerResponse },
  ): void {
    request.resume();
    const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
    seen.answer = { code, retryAfterSeconds, atMs: Date.now() };
    response.writeHead(code, { "content-type": "text/html", ...headers }).end("<h1>not now</h1>");
  }

  #handOn(
    request: IncomingMessage,
    { seen, response, isLost }: { seen: SeenRequest; response: ServerResponse; isLost: boolean },
  ): void {
    const { hostname: host, port } = new URL(this.#cluster.url);
    const { method, url: path, headers } = request;
    const onward = httpsRequest({ host, port, method, path, headers, ca: this.#cluster.pki.ca.certificate });
    onward.once("response", (answer) => {
      const { statusCode: code = 0 } = answer;
      const after = answer.headers["retry-after"];
      seen.answer = { code, retryAfterSeconds: after === undefined ? undefined : Number(after), atMs: Date.now() };
      if (isLost) {
        answer.resume();
        answer.once("end", () => request.socket.destroy());
        return;
      }
      response.writeHead(code, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.once("error", () => request.socket.destroy());
    });
    onward.on("error", () => request.socket.destroy()); // nobody answers
    request.pipe(onward);
    response.once("close", () => onward.destroy());
  }
}
