import { setMaxListeners } from "node:events";
import type { FeatureGates } from "#api/feature-gates.ts";
import type { HealthCheck } from "#apiserver/http/health.ts";
import type { HttpServer } from "#apiserver/http/http-server.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Random } from "#base/random.ts";
import { type Client, createClient } from "#client/client.ts";
import type { ServerAccess } from "#client/https-wire.ts";
import { LuaHost } from "#lua/lua-host.ts";
import { admissionDefaults } from "../admission-families.ts";
import type { KeyPair } from "../certificate-authority.ts";
import { openControlPlane, wireUser } from "../control-plane-access.ts";
import { karmadaAdmission } from "../karmada-admission.ts";
import { luaAdmission } from "../lua-admission.ts";
import { followCertificateFiles, readCertificateFiles } from "./certificate-files.ts";
import { CertificateKeeper } from "./certificate-keeper.ts";
import { followGates } from "./followed-gates.ts";
import { madeCertificate } from "./made-certificate.ts";
import { PublishedBundle } from "./published-bundle.ts";
import { createReviewServer } from "./review-server.ts";
import { watchFacts } from "./watched-facts.ts";

export interface WebhookOptions {
  /** Where the control plane's API server is and who we are there; asked again and again. */
  readonly readAccess: () => Promise<ServerAccess>;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where the certificate comes from: two files that somebody else keeps, or made here for these names. */
  readonly certificate: CertificateFiles | { readonly names: readonly string[] };
  /** Gates of the controllers, where somebody knows better than what these have published. */
  readonly gates: Partial<FeatureGates>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

interface CertificateFiles {
  readonly certificateFile: string;
  readonly privateKeyFile: string;
}

export interface RunningWebhook extends AsyncDisposable {
  readonly port: number;
}

/** Three for each of the few kinds that are followed, whatever the control plane holds: more would be a leak. */
const maxListeners = 30;

/**
 * Starts the admission webhook: it listens once it can judge and has a certificate that API servers believe. Until then it waits for the
 * control plane, however long that takes, unless the signal ends it.
 */
export async function startWebhook(options: WebhookOptions, signal: AbortSignal): Promise<RunningWebhook> {
  const stopping = new AbortController();
  setMaxListeners(maxListeners, stopping.signal);
  signal.addEventListener("abort", () => stopping.abort(signal.reason), { once: true });
  const lua = new LuaHost({ clock: options.clock });
  const transport = await openControlPlane(options);
  const stop = async () => {
    stopping.abort();
    transport.close();
    await lua[Symbol.asyncDispose]();
  };
  try {
    const { clock, random, log } = options;
    const client = createClient({ transport, user: wireUser, manager: "flotilla-webhook" });
    const facts = await watchFacts({ client, transport, clock, log }, stopping.signal);
    const gates = await followGates({ client, clock, log, given: options.gates }, stopping.signal);
    signal.throwIfAborted();
    const plugins = [karmadaAdmission({ ...facts, clock, random, gates, ...admissionDefaults }), luaAdmission(lua)];
    const serving = await certificateFor({ ...options, client }, stopping.signal);
    const server = createReviewServer({ ...options, certificate: serving.first, plugins, checks: serving.checks });
    serving.renew(server);
    const port = await server.listen();
    return {
      port,
      async [Symbol.asyncDispose]() {
        await server.close();
        await stop();
      },
    };
  } catch (error: unknown) {
    await stop();
    throw error;
  }
}

interface Serving {
  readonly first: KeyPair;
  readonly checks: readonly HealthCheck[];
  /** From now on the server gets every other certificate. */
  readonly renew: (server: HttpServer) => void;
}

interface CertificateNeeds extends WebhookOptions {
  readonly client: Client;
}

async function certificateFor(options: CertificateNeeds, signal: AbortSignal): Promise<Serving> {
  const { certificate, clock, log } = options;
  let server: HttpServer | undefined;
  const renew = (next: HttpServer) => {
    server = next;
  };
  if ("certificateFile" in certificate) {
    const first = readCertificateFiles(certificate);
    followCertificateFiles({ ...certificate, clock, log, serve: (pair) => server?.renewCertificate(pair) }, signal);
    return { first, checks: [], renew };
  }
  const { keeper, first } = await keptCertificate(options, {
    names: certificate.names,
    signal,
    renew: (pair) => server?.renewCertificate(pair),
  });
  return { first, renew, checks: [{ name: "certificate", of: "ready", failure: () => keeper.failure }] };
}

interface Keeping {
  readonly names: readonly string[];
  readonly signal: AbortSignal;
  readonly renew: (pair: KeyPair) => void;
}

/** Waits for the first certificate, however long the API server takes. */
async function keptCertificate(options: CertificateNeeds, { names, signal, renew }: Keeping) {
  let keeper: CertificateKeeper | undefined;
  const first = await new Promise<KeyPair>((resolve, reject) => {
    const serve = (pair: KeyPair) => {
      resolve(pair); // only the first counts here
      renew(pair);
    };
    const published = new PublishedBundle(options);
    keeper = new CertificateKeeper({ ...options, names, published, make: madeCertificate, serve });
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    keeper.start(signal).catch(reject);
  });
  return { keeper: keeper!, first }; // made before it was waited for
}
