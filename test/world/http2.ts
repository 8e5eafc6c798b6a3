import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from "node:http2";
import type { ServedCluster } from "./http.ts";

export interface Http2Answer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Http2Request {
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** undefined: the administrator's certificate. */
  readonly token?: string;
}

/** One HTTP/2 connection, over which many requests go at once. */
export class Http2Connection implements Disposable {
  readonly #session: ClientHttp2Session;

  constructor({ pki, url }: ServedCluster, { token }: { readonly token?: string } = {}) {
    const own = token === undefined ? { cert: pki.admin.certificate, key: pki.admin.privateKey } : {};
    this.#session = connect(url, { ca: pki.ca.certificate, ...own });
    this.#session.on("error", () => {}); // streams say what went wrong
  }

  send(path: string, request: Http2Request = {}): Promise<Http2Answer> {
    const stream = this.open(path, request);
    return new Promise((resolve, reject) => {
      let text = "";
      let headers: IncomingHttpHeaders = {};
      stream.setEncoding("utf8");
      stream.on("response", (received) => {
        headers = received;
      });
      stream.on("data", (chunk: string) => {
        text += chunk;
      });
      stream.on("end", () => resolve({ code: Number(headers[":status"]), headers, text }));
      stream.on("error", reject);
    });
  }

  /** Starts a request and leaves its stream to the caller. */
  open(path: string, { method = "GET", body, headers = {}, token }: Http2Request = {}): ClientHttp2Stream {
    const sent = {
      ":method": method,
      ":path": path,
      "user-agent": "test/1.0",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    };
    const stream = this.#session.request(sent, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    return stream;
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}
