import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { StatusError } from "#api/meta/status-error.ts";
import { stringifyJson } from "#base/json.ts";
import { printYaml } from "#base/print-yaml.ts";
import { type Negotiated, negotiate, plainEndpoint } from "./negotiate.ts";

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** How long a client may go on sending after it was answered. */
const lingerMs = 1_000;

/** One request and its answer on the wire, HTTP/1.1 or HTTP/2. */
export class Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly url: URL;

  constructor(request: HttpRequest, response: HttpResponse) {
    this.request = request;
    this.response = response;
    const target = request.url ?? "/";
    // only the path and the query count; a base makes a relative target parse, an absolute one is not trusted for its host
    this.url = new URL(target.startsWith("/") ? `https://server${target}` : "https://server/");
  }

  get method(): string {
    return this.request.method ?? "GET";
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** Readable answers for people with curl or a browser, compact ones for programs. */
  get pretty(): boolean {
    const asked = this.url.searchParams.get("pretty");
    if (asked !== null && asked !== "") return /^(1|t|T|true|True|TRUE)$/.test(asked);
    return /^(curl|Wget|Mozilla\/5\.0)/.test(this.header("user-agent") ?? "");
  }

  sendJson(code: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
    const text = this.textOf(value, { format: "json", pretty: false });
    this.sendText(code, text, { "content-type": "application/json", ...headers });
  }

  /** A value in the form that was agreed on. */
  textOf(value: unknown, { format, pretty }: Pick<Negotiated, "format" | "pretty">): string {
    if (format === "yaml") return printYaml(value);
    return pretty || this.pretty ? `${stringifyJson(value, { indent: 2 })}\n` : stringifyJson(value);
  }

  /** Sends it so. */
  sendDocument(code: number, value: unknown, negotiated: Pick<Negotiated, "format" | "pretty">): void {
    this.sendText(code, this.textOf(value, negotiated), { "content-type": `application/${negotiated.format}` });
  }

  sendText(code: number, text: string, headers: Readonly<Record<string, string>>): void {
    const { response } = this;
    if (response.headersSent) return void response.end();
    response.statusCode = code;
    response.setHeader("cache-control", "no-cache, private");
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const body = Buffer.from(text); // text would be encoded together with the headers, which are bytes already
    response.setHeader("content-length", String(body.length));
    if (this.method === "HEAD") response.end();
    else if (this.request.complete || "stream" in response) response.end(body);
    else this.#endAfterRequest(response, body);
  }

  /** A client that is still sending would meet a closed connection before it has read why: it gets the answer, and a moment to stop. */
  #endAfterRequest(response: ServerResponse, body: Buffer): void {
    const { request } = this;
    response.write(body);
    const end = () => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(end, lingerMs).unref();
    request.once("end", end);
    request.once("close", end);
    request.resume();
  }

  sendError(error: StatusError): void {
    const retry = error.details?.retryAfterSeconds;
    if (retry !== undefined && !this.response.headersSent) this.response.setHeader("retry-after", String(retry));
    // why a request is refused is not hidden behind a form that cannot be had
    const negotiated = negotiate(this.header("accept"), plainEndpoint) ?? { format: "json", pretty: true };
    this.sendDocument(error.code, error.toStatus(), negotiated);
  }

  /** One more Warning header per remark, as RFC 7234 has it; control characters would break the header, such a remark is not made. */
  addWarnings(warnings: readonly string[]): void {
    const lines = warnings
      .filter((text) => !/\p{Cc}/u.test(text))
      .map((text) => `299 - "${inBytes(text.slice(0, maxWarningLength)).replaceAll(/[\\"]/g, "\\$&")}"`);
    if (lines.length === 0) return;
    const before = this.response.getHeader("warning");
    this.response.setHeader("warning", [...(Array.isArray(before) ? before : []), ...lines]);
  }
}

const maxWarningLength = 1024;

/** Headers are bytes to Node, one character each. */
function inBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}
