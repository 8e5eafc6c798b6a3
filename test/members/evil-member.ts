import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createPki } from "#app/certificates.ts";

/** A server that looks like a Kubernetes API server until it does not. */
export interface EvilMember extends AsyncDisposable {
  readonly url: string;
  readonly ca: string;
  /** How many requests it has had. */
  requests(): number;
  /** Ends every connection, with all that is on its way there. */
  hangUp(): void;
}

export interface EvilRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** True when it took the request; otherwise it is answered as a good server would. */
export type Behaviour = (request: EvilRequest) => boolean;

let pki: ReturnType<typeof createPki> | undefined;

/** Starts one behaviour on a free port. */
export async function startEvilMember(behave: Behaviour): Promise<EvilMember> {
  pki ??= createPki({ cluster: "evil", nowMs: Date.now() });
  const { ca, server: identity } = await pki;
  let requests = 0;
  const server = createServer({ cert: identity.certificate, key: identity.privateKey }, (request, response) => {
    requests++;
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "https://evil");
    response.on("error", () => {});
    if (!behave({ path, query, request, response })) answerWell(path, query, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    ca: ca.certificate,
    requests: () => requests,
    hangUp: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(
  response: ServerResponse,
  code: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): true {
  response.writeHead(code, { "content-type": "application/json", ...headers });
  response.end(typeof value === "string" ? value : JSON.stringify(value));
  return true;
}

const isResource = (path: string) => /^\/(api|apis\/apps)\/v1\//.test(path);
const isWatch = (query: URLSearchParams) => query.get("watch") === "true";
const status = (code: number, reason: string) => ({
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  code,
  reason,
  message: reason,
});

/** Writes as long as the other side takes it. */
function pour(response: ServerResponse, chunk: () => string): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk()));
  };
  response.on("drain", more);
  more();
}

function every(response: ServerResponse, ms: number, act: () => void): void {
  const timer = setInterval(act, ms);
  response.on("close", () => clearInterval(timer));
}

const pod = (name: string, resourceVersion: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", uid: name, resourceVersion },
});
const event = (name: string, revision: number) =>
  `${JSON.stringify({ type: "MODIFIED", object: pod(name, String(revision)) })}\n`;
const start = (response: ServerResponse) => response.writeHead(200, { "content-type": "application/json" });

/** What hostile members do (SEC-17), by name. `canary` is where redirects lead. */
export function behaviours(canary: string): Readonly<Record<string, Behaviour>> {
  let bomb: Buffer | undefined;
  const onResources =
    (act: (request: EvilRequest) => boolean): Behaviour =>
    (each) =>
      isResource(each.path) && act(each);
  return {
    "endless body": onResources(({ response }) => {
      start(response).write('{"kind":"PodList","items":["');
      pour(response, () => "x".repeat(65_536));
      return true;
    }),
    "slow drip": onResources(({ response }) => {
      start(response);
      every(response, 100, () => response.write(" "));
      return true;
    }),
    "gzip bomb": onResources(({ response }) => {
      bomb ??= gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(bomb);
      return true;
    }),
    redirect: ({ path, response }) => {
      response.writeHead(307, { location: `${canary}${path}` });
      response.end("secret body");
      return true;
    },
    "wrong content type": onResources(({ response }) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>{}</html>");
      return true;
    }),
    "410 loop": onResources(({ query, response }) => isWatch(query) && json(response, 410, status(410, "Expired"))),
    "410 loop by event": onResources(({ query, response }) => {
      if (!isWatch(query)) return false;
      start(response).end(`${event("p", 7)}${JSON.stringify({ type: "ERROR", object: status(410, "Expired") })}\n`);
      return true;
    }),
    "resource versions backwards": onResources(({ query, response }) => {
      if (!isWatch(query)) return false;
      let revision = 100;
      start(response);
      every(response, 50, () => response.write(event("p", revision--)));
      return true;
    }),
    "huge discovery": ({ path, response }) => {
      if (path !== "/apis") return false;
      start(response).write('{"kind":"APIGroupDiscoveryList","items":[');
      pour(response, () => `${JSON.stringify({ metadata: { name: "x".repeat(200) }, versions: [] })},`.repeat(100));
      return true;
    },
    "connection resets": onResources(({ request }) => {
      request.socket.destroy();
      return true;
    }),
    "too many requests": onResources(({ response }) =>
      json(response, 429, status(429, "TooManyRequests"), { "retry-after": "2" }),
    ),
    "never-ending list": onResources(({ query, response }) => {
      if (isWatch(query)) return false;
      setTimeout(
        () =>
          json(response, 200, {
            kind: "PodList",
            apiVersion: "v1",
            metadata: { resourceVersion: "1", continue: "more" },
            items: [pod("p", "1")],
          }),
        5,
      );
      return true;
    }),
    "flood of ever new objects": onResources(({ query, response }) => {
      if (!isWatch(query)) return false;
      let revision = 10;
      start(response);
      every(response, 100, () => {
        let text = "";
        for (let i = 0; i < 500; i++) text += event(`p${++revision}`, revision);
        response.write(text);
      });
      return true;
    }),
    "event flood": onResources(({ query, response }) => {
      if (!isWatch(query)) return false;
      let revision = 10;
      start(response);
      every(response, 100, () => {
        let text = "";
        for (let i = 0; i < 1_000; i++) text += event(`p${i % 50}`, ++revision);
        response.write(text);
      });
      return true;
    }),
    "truncated and nested JSON": onResources(({ query, response }) =>
      json(response, 200, isWatch(query) ? '{"type":"ADD' : "[".repeat(100_000)),
    ),
    silence: onResources(() => true),
  };
}

const resources = [
  ["", "namespaces", "Namespace", "Cluster"],
  ["", "nodes", "Node", "Cluster"],
  ["", "pods", "Pod", "Namespaced"],
  ["apps", "deployments", "Deployment", "Namespaced"],
] as const;

function answerWell(path: string, query: URLSearchParams, response: ServerResponse): void {
  if (path === "/readyz") return void response.writeHead(200).end("ok");
  if (path === "/version") return void json(response, 200, { gitVersion: "v1.36.0" });
  if (path === "/api" || path === "/apis") return void json(response, 200, discovery(path === "/api" ? "" : "apps"));
  if (query.get("watch") === "true") return void start(response).flushHeaders();
  if (/\/(namespaces|nodes|pods|deployments)$/.test(path))
    return void json(response, 200, { kind: "List", apiVersion: "v1", metadata: { resourceVersion: "5" }, items: [] });
  json(response, 404, status(404, "NotFound"));
}

function discovery(group: string) {
  const mine = resources.filter(([of]) => of === group);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    items: [
      {
        metadata: { name: group },
        versions: [
          {
            version: "v1",
            resources: mine.map(([, resource, kind, scope]) => ({
              resource,
              scope,
              responseKind: { kind },
              verbs: ["list", "watch"],
            })),
          },
        ],
      },
    ],
  };
}
