import { type Agent, request } from "node:https";
import type { Fields } from "#api/meta/object-meta.ts";

/** Where a cluster listens, and how to be its administrator. */
export interface ServedCluster {
  readonly url: string;
  readonly pki: {
    readonly ca: { readonly certificate: string };
    readonly admin: { readonly certificate: string; readonly privateKey: string };
  };
}

export interface HttpAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parsed, when it is JSON. */
  readonly json: Fields;
}

export interface HttpCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** undefined: the administrator's certificate; "none": nothing; otherwise a bearer token. */
  readonly token?: string | "none";
  /** End after this long and give what has come: for watches. */
  readonly forMs?: number;
  /** Keeps connections for the next request; without one each has its own. */
  readonly agent?: Agent;
}

/** A plain HTTPS request, as curl would make it. */
export function http(cluster: ServedCluster, path: string, call: HttpCall = {}): Promise<HttpAnswer> {
  const { method = "GET", headers = {}, body, token, forMs, agent = false } = call;
  const { pki, url } = cluster;
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, {
      method,
      ca: pki.ca.certificate,
      ...(token === undefined ? { cert: pki.admin.certificate, key: pki.admin.privateKey } : {}),
      agent,
      headers: {
        "user-agent": "test/1.0",
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
        ...(token === undefined || token === "none" ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      let text = "";
      let over = false;
      const finish = () => {
        if (over) return;
        over = true;
        resolve({ code: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
        if (agent === false) outgoing.destroy();
      };
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", finish);
      response.on("error", finish);
      if (forMs !== undefined) setTimeout(finish, forMs);
    });
    outgoing.end(body);
  });
}

function parse(text: string): Fields {
  try {
    return JSON.parse(text) as Fields; // tests look at what they expect
  } catch {
    return {};
  }
}
