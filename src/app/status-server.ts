import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface StatusServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** What is answered, by path: a code and a text. */
  readonly pages: ReadonlyMap<string, () => StatusPage | Promise<StatusPage>>;
}

export interface StatusPage {
  readonly code: number;
  readonly text: string;
}

/** A few pages of plain text about this process, for probes and Prometheus. */
export interface StatusServer extends AsyncDisposable {
  readonly port: number;
}

/** Starts listening; nothing but the pages is answered, and nothing is read. */
export async function startStatusServer({ host, port, pages }: StatusServerOptions): Promise<StatusServer> {
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 8_192 },
    (request, response) => {
      const page = request.method === "GET" ? pages.get((request.url ?? "").replace(/\?.*$/s, "")) : undefined;
      const send = ({ code, text }: StatusPage) =>
        response
          .writeHead(code, { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" })
          .end(text);
      const answer = async () => (page === undefined ? { code: 404, text: "404 page not found\n" } : page());
      answer().then(send, () => send({ code: 500, text: "internal error\n" }));
    },
  );
  server.maxConnections = 64;
  await listen(server, { host, port });
  server.unref();
  return {
    port: (server.address() as AddressInfo).port, // a TCP server that listens
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, where: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new Error(`cannot listen on ${where.host}:${where.port}: ${error.message}`)),
    );
    server.listen(where.port, where.host, resolve);
  });
}
