import { type ClientRequest, request as httpRequest } from "node:http";
import { Agent, type AgentOptions, request as httpsRequest, type RequestOptions } from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as connectTls, createSecureContext } from "node:tls";
import { type AddressRules, expectAllowedHost, guardedLookup, type Resolve } from "./address-guard.ts";

/** How a server proves who it is, and we who we are. */
export interface TlsIdentity {
  /** PEM; undefined: the system's authorities. */
  readonly ca?: string | undefined;
  readonly clientCertificate?: { readonly certificate: string; readonly privateKey: string } | undefined;
  /** Believe whoever answers. */
  readonly skipVerification?: boolean | undefined;
  /** The name that the server's certificate must bear, where it is not the host's. */
  readonly serverName?: string | undefined;
}

/** A proxy that opens tunnels (CONNECT); it sees no credentials of ours. */
export interface TunnelProxy {
  /** http or https. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export interface AgentNeeds {
  readonly identity: TlsIdentity;
  readonly proxy?: TunnelProxy | undefined;
  readonly addresses: AddressRules;
  readonly resolve?: Resolve | undefined;
}

/** How many calls to one server are under way at once. */
export const maxConnections = 16;

/** Two pools of connections to one server: few and kept for calls, as many as needed for streams. */
export function createAgents(needs: AgentNeeds): { readonly calls: Agent; readonly streams: Agent } {
  const { identity, addresses } = needs;
  const common: AgentOptions & ConnectionOptions = {
    // made once: reading certificates for every connection is dear
    secureContext: createSecureContext({
      ca: identity.ca,
      cert: identity.clientCertificate?.certificate,
      key: identity.clientCertificate?.privateKey,
      minVersion: "TLSv1.2",
    }),
    // said in so many words, or an environment variable could turn it off
    rejectUnauthorized: identity.skipVerification !== true,
    ALPNProtocols: ["http/1.1"],
    lookup: guardedLookup(addresses, needs.resolve),
    ...(identity.serverName !== undefined && { servername: identity.serverName }),
  };
  const create = (options: AgentOptions): Agent =>
    needs.proxy === undefined ? new Agent(options) : new TunnelAgent(options, { ...needs, proxy: needs.proxy });
  return {
    // all are kept for a while: calls come in bursts, and a handshake costs both sides more than a call
    calls: create({
      ...common,
      keepAlive: true,
      maxSockets: maxConnections,
      maxFreeSockets: maxConnections,
      timeout: 30_000,
    }),
    streams: create({ ...common, keepAlive: false }),
  };
}

/** Node's types promise a stream beside an error, too, where Node itself hands over none. */
type Connected = (error: Error | null, socket?: Duplex) => void;

/** Reaches servers through a proxy; the TLS session is with the server itself. */
class TunnelAgent extends Agent {
  readonly #needs: AgentNeeds & { readonly proxy: TunnelProxy };

  constructor(options: AgentOptions, needs: AgentNeeds & { readonly proxy: TunnelProxy }) {
    super(options);
    this.#needs = needs;
  }

  /** Called by Node for every new connection. */
  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const connected = callback as Connected; // see there
    const { port = 443 } = options;
    const host = options.host ?? "";
    let tunnel: ClientRequest;
    try {
      tunnel = this.#ask(host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`);
    } catch (error: unknown) {
      connected(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
    tunnel.once("error", (error) => connected(error));
    tunnel.once("response", ({ statusCode }) => {
      tunnel.destroy();
      connected(new Error(`the proxy answered with code ${statusCode}`));
    });
    tunnel.once("connect", ({ statusCode }, socket, head) => {
      if (statusCode === 200 && head.length === 0)
        return connected(null, connectTls({ ...(options as ConnectionOptions), socket })); // the agent's own, for TLS
      socket.destroy();
      connected(new Error(`the proxy answered with code ${statusCode}`));
    });
    tunnel.end();
    return undefined;
  }

  #ask(target: string): ClientRequest {
    const { proxy, addresses, resolve } = this.#needs;
    const { url, headers } = proxy;
    expectAllowedHost(url.hostname, addresses);
    const request: RequestOptions = {
      method: "CONNECT",
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
      path: target,
      headers: { host: target, ...headers },
      agent: false,
      timeout: 10_000,
      lookup: guardedLookup(addresses, resolve),
    };
    const tunnel =
      url.protocol === "https:" ? httpsRequest({ ...request, rejectUnauthorized: true }) : httpRequest(request);
    tunnel.once("timeout", () => tunnel.destroy(new Error("the proxy does not answer")));
    return tunnel;
  }
}
