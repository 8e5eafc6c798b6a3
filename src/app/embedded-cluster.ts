import { join } from "node:path";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { ApiServer, type Question } from "#apiserver/api-server.ts";
import { FieldSetPool } from "#apiserver/apply/field-set-pool.ts";
import { FieldSetTexts } from "#apiserver/apply/field-set-texts.ts";
import { Discovery } from "#apiserver/discovery.ts";
import type { HealthCheck } from "#apiserver/http/health.ts";
import { HttpServer } from "#apiserver/http/http-server.ts";
import { InFlightLimit } from "#apiserver/http/in-flight-limit.ts";
import { ObjectTexts } from "#apiserver/http/object-text.ts";
import { type ServeNeeds, serveRequest } from "#apiserver/http/serve-request.ts";
import { defaultServerLimits, type ServerLimits } from "#apiserver/http/server-limits.ts";
import { Authenticator } from "#apiserver/identity/authenticate.ts";
import { ServiceAccountTokens } from "#apiserver/identity/service-account-tokens.ts";
import { OpenApiDocuments } from "#apiserver/openapi/documents.ts";
import { Registry } from "#apiserver/registry.ts";
import { namespaceFinalize } from "#apiserver/subresources/namespace-finalize.ts";
import { podBinding, podEviction } from "#apiserver/subresources/pod-subresources.ts";
import { serviceAccountToken } from "#apiserver/subresources/service-account-token.ts";
import type { SpecialSubresource } from "#apiserver/subresources/special-subresource.ts";
import { SettledParts } from "#apiserver/write/settled-parts.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Random } from "#base/random.ts";
import { startAutoCompaction } from "#storage/auto-compaction.ts";
import { openMemoryStore } from "#storage/memory-store.ts";
import { SharedTexts } from "#storage/shared-texts.ts";
import { openSqliteStore } from "#storage/sqlite-store.ts";
import type { SqliteThreads } from "#storage/sqlite-threads.ts";
import type { Store } from "#storage/store.ts";
import type { BuiltinKinds } from "./builtin-kinds.ts";
import type { ClusterPki } from "./certificates.ts";
import { compactionClock } from "./compaction-clock.ts";
import { KeptOwnership } from "./kept-ownership.ts";
import { serverVersion, versionInfo } from "./server-version.ts";
import { StoredTexts } from "./stored-text.ts";
import { openWritePath, type WritePath, type WritePathNeeds } from "./write-path.ts";

export interface EmbeddedClusterOptions {
  readonly name: string;
  /** Where the objects are kept; undefined: in memory only. */
  readonly directory: string | undefined;
  readonly pki: ClusterPki;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly builtin: BuiltinKinds;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** How much clients may take, where it differs from the default. */
  readonly limits?: Partial<ServerLimits>;
  /** What else `livez` and `readyz` ask about. */
  readonly checks?: readonly HealthCheck[];
  /** What else is served as plain text, by path. */
  readonly pages?: ServeNeeds["pages"];
  /** Kinds that are questions, with who answers them. */
  readonly questions?: readonly QuestionKind[];
  readonly admission?: WritePathNeeds["admission"];
  /** Of all clusters between which objects are shared; without it of this one. */
  readonly settled?: SettledParts;
  /** The same for the texts of objects that are sent around. */
  readonly texts?: ObjectTexts;
  /** How many changes are kept for clients that come back, where it differs from the store's own. */
  readonly historyLimit?: number;
  /** Of all clusters that share threads for their databases; without it this one has its own. */
  readonly threads?: SqliteThreads | undefined;
}

/** A kind whose objects are answered and not kept. */
export interface QuestionKind {
  readonly type: ResourceType;
  readonly answer: Question;
}

/** One Kubernetes API server in this process: its store, its resources, its listener. */
export class EmbeddedCluster implements AsyncDisposable {
  readonly name: string;
  readonly server: ApiServer;
  readonly tokens: ServiceAccountTokens;
  readonly pki: ClusterPki;
  /** What writes go through. */
  readonly path: WritePath;
  readonly #http: HttpServer;
  readonly #close: () => Promise<void>;
  #port = 0;

  private constructor(parts: Parts) {
    this.name = parts.name;
    this.server = parts.server;
    this.tokens = parts.tokens;
    this.pki = parts.pki;
    this.path = parts.path;
    this.#http = parts.http;
    this.#close = parts.close;
  }

  /** Opens the store and builds the server; nothing listens yet. */
  static async open(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
    const texts = options.texts ?? new ObjectTexts();
    const fieldSets = new FieldSetPool();
    const settled = options.settled ?? new SettledParts();
    const store = await openStore(options, { fieldSets, settled });
    return new EmbeddedCluster(assemble(options, { store, texts, fieldSets, settled }));
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    this.#port = await this.#http.listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http.close();
    await this.#close();
  }
}

interface Parts {
  readonly name: string;
  readonly server: ApiServer;
  readonly tokens: ServiceAccountTokens;
  readonly pki: ClusterPki;
  readonly path: WritePath;
  readonly http: HttpServer;
  readonly close: () => Promise<void>;
}

function openStore(
  { directory, threads, historyLimit }: Pick<EmbeddedClusterOptions, "directory" | "threads" | "historyLimit">,
  { fieldSets, settled }: Pick<Kept, "fieldSets" | "settled">,
): Promise<Store<ApiObject>> | Store<ApiObject> {
  const kept = historyLimit === undefined ? {} : { historyLimit };
  if (directory === undefined) return openMemoryStore<ApiObject>(kept);
  const shared = new SharedTexts();
  const texts = new StoredTexts(new KeptOwnership(new FieldSetTexts(fieldSets), shared, fieldSets), settled);
  const codec = {
    shared,
    encode: (object: ApiObject) => texts.encode(object),
    decode: (text: string) => texts.decode(text),
  };
  return openSqliteStore<ApiObject>({
    directory: join(directory, "store"),
    codec,
    ...kept,
    ...(threads && { threads }),
  });
}

/** What a cluster keeps. */
interface Kept {
  readonly store: Store<ApiObject>;
  readonly texts: ObjectTexts;
  readonly fieldSets: FieldSetPool;
  readonly settled: SettledParts;
}

function assemble(options: EmbeddedClusterOptions, { store, texts, fieldSets, settled }: Kept): Parts {
  const { builtin, clock, pki, log } = options;
  const limits = { ...defaultServerLimits, ...options.limits };
  const questions = options.questions ?? [];
  const registry = new Registry([...builtin.resources, ...questions.map(({ type }) => type)]);
  const path = openWritePath({ ...options, store, registry, fieldSets, settled, asksWebhooks: true });
  const { core, authorizer } = path;
  const tokens = new ServiceAccountTokens(pki.serviceAccountKey);
  const authenticator = new Authenticator({ tokens: [], serviceAccountTokens: tokens, store, clock });
  const { Binding, Eviction, TokenRequest } = builtin.bodies;
  const special = [
    ...[namespaceFinalize, podEviction(Eviction), podBinding(Binding)],
    serviceAccountToken(tokens, TokenRequest),
  ];
  const server = new ApiServer({
    core,
    authorizer,
    reviews: { authorizer, authenticator, registry, nowMs: () => clock.nowMs() },
    special: new Map(special.map((each) => [each.of, each])),
    questions: new Map(questions.map(({ type, answer }) => [`${type.group}/${type.plural}`, answer])),
  });
  const needs: ServeNeeds = {
    server,
    authenticator,
    discovery: new Discovery({ registry, subresourcesOf: (type) => listedOf(special, type) }),
    openapi: new OpenApiDocuments({ registry, publishedSchemas: builtin.publishedSchemas, serverVersion }),
    texts,
    decodeProtobuf: builtin.decodeProtobuf,
    version: versionInfo,
    limit: new InFlightLimit(limits),
    health: { checks: [storeCheck(store), ...(options.checks ?? [])], clock },
    pages: options.pages ?? new Map(),
  };
  const http = new HttpServer({
    limits,
    host: options.host,
    port: options.port,
    certificate: pki.server.certificate,
    privateKey: pki.server.privateKey,
    clientCa: pki.ca.certificate,
    log,
    serve: (exchange, socket) => serveRequest(needs, exchange, socket),
  });
  const stopCompaction = startAutoCompaction(store, {
    clock: compactionClock(clock),
    onError: (error) => log.error("cannot compact the store", { error }),
  });
  const close = async () => {
    stopCompaction();
    path.close();
    await store[Symbol.asyncDispose]();
  };
  return { name: options.name, server, tokens, pki, path, http, close };
}

/** A store that takes no writes is of no use to anybody. */
function storeCheck(store: Store<ApiObject>): HealthCheck {
  return { name: "store", of: "live", failure: () => store.probe() };
}

function listedOf(special: readonly SpecialSubresource[], type: ResourceType) {
  return special.filter(({ of }) => of.startsWith(`${type.group}/${type.plural}/`)).map(({ listed }) => listed);
}
