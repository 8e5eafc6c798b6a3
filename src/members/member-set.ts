import type { Cluster } from "#api/cluster/cluster.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ObjectKey } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Logger } from "#base/logger.ts";
import type { Informer } from "#runtime/informer.ts";
import { guardedClient } from "./cluster-identity.ts";
import { Member } from "./member.ts";
import type { MemberConnector } from "./member-connection.ts";

export interface MemberSetNeeds {
  readonly clusters: Informer<ApiObject>;
  /** Those of clusters: a member is connected anew when its secret changes. */
  readonly secrets: Informer<ApiObject>;
  readonly connector: MemberConnector;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of each member. */
  readonly maxManaged: number;
}

type MemberListener = (event: { readonly joined: boolean; readonly member: Member }) => void;

const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

/** The members that can be talked to now: follows the Cluster objects, reconnects when their address or credentials change. */
export class MemberSet {
  readonly #needs: MemberSetNeeds;
  readonly #members = new Map<string, { readonly member: Member; readonly access: unknown }>();
  readonly #listeners = new Set<MemberListener>();
  readonly #failureListeners = new Set<(name: string) => void>();
  readonly #failures = new Map<string, { readonly error: Error; readonly retryMs: number }>();
  /** The latest try to connect: one that was overtaken counts no more. */
  readonly #tries = new Map<string, Try>();
  #stopped = false;

  constructor(needs: MemberSetNeeds) {
    this.#needs = needs;
  }

  get(name: string): Member | undefined {
    return this.#members.get(name)?.member;
  }

  all(): readonly Member[] {
    return [...this.#members.values()].map(({ member }) => member);
  }

  /** Why there is no connection to a joined cluster. */
  failureOf(name: string): Error | undefined {
    return this.#failures.get(name)?.error;
  }

  /** Whether a joined cluster can be talked to; `tried` until that is known. */
  reachOf(name: string): "reached" | "tried" | "failed" {
    if (this.#members.has(name)) return "reached";
    return this.#failures.has(name) ? "failed" : "tried";
  }

  /** Calls back for members that come and go; those that are here already are reported at once. */
  subscribe(listener: MemberListener): () => void {
    for (const { member } of this.#members.values()) listener({ joined: true, member });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back with the name of a cluster whenever a try to connect to it has failed. */
  subscribeFailures(listener: (name: string) => void): () => void {
    this.#failureListeners.add(listener);
    return () => this.#failureListeners.delete(listener);
  }

  start(signal: AbortSignal): void {
    const { clusters, secrets } = this.#needs;
    const stops = [
      clusters.subscribe(({ after, before }) => void this.#follow((after ?? before)!.metadata.name)),
      secrets.subscribe(({ after, before }) => this.#followSecret(keyOf((after ?? before)!))),
    ];
    signal.addEventListener(
      "abort",
      () => {
        this.#stopped = true;
        for (const stop of stops) stop();
        for (const name of [...this.#members.keys()]) this.#disconnect(name);
      },
      { once: true },
    );
  }

  /** A secret changed: whoever uses it is connected anew. */
  #followSecret(key: ObjectKey): void {
    for (const object of this.#needs.clusters.all()) {
      const { secretRef } = (object as unknown as Cluster).spec; // the informer's kind
      if (secretRef?.namespace === key.namespace && secretRef?.name === key.name)
        void this.#follow(object.metadata.name);
    }
  }

  async #follow(name: string): Promise<void> {
    await this.#needs.secrets.whenSynced();
    if (this.#stopped) return;
    const cluster = this.#needs.clusters.get({ name }) as Cluster | undefined; // the informer's kind
    if (cluster === undefined) {
      this.#failures.delete(name);
      this.#tries.delete(name);
      return this.#disconnect(name);
    }
    const access = this.#accessOf(cluster);
    const known = this.#members.get(name)?.access ?? this.#tries.get(name)?.access;
    if (known !== undefined && jsonEquals(known, access)) return;
    this.#disconnect(name);
    await this.#connect(cluster, access);
  }

  async #connect(cluster: Cluster, access: unknown): Promise<void> {
    const { connector, clock, log, maxManaged } = this.#needs;
    const { name } = cluster.metadata;
    const attempt: Try = { access };
    this.#tries.set(name, attempt);
    const isOvertaken = () => this.#stopped || this.#tries.get(name) !== attempt;
    try {
      const connection = await connector.connect(cluster);
      if (isOvertaken()) return connection.close();
      const client = guardedClient(connection.client, { clock, expectedId: () => this.#idOf(name) });
      const member = new Member({
        name,
        connection: { ...connection, client },
        clock,
        log: log.child({ member: name }),
        maxManaged,
      });
      this.#failures.delete(name);
      this.#tries.delete(name);
      this.#members.set(name, { member, access });
      for (const listener of this.#listeners) listener({ joined: true, member });
    } catch (error: unknown) {
      if (isOvertaken()) return;
      const retryMs = Math.min((this.#failures.get(name)?.retryMs ?? firstRetryMs / 2) * 2, maxRetryMs);
      this.#failures.set(name, { error: error instanceof Error ? error : new Error(String(error)), retryMs });
      log.error("cannot connect to member", { member: name, error });
      for (const listener of this.#failureListeners) listener(name);
      clock.after(retryMs, () => {
        if (isOvertaken()) return;
        this.#tries.delete(name);
        void this.#follow(name);
      });
    }
  }

  #idOf(name: string): string | undefined {
    return (this.#needs.clusters.get({ name }) as unknown as Cluster | undefined)?.spec.id; // the informer's kind
  }

  #disconnect(name: string): void {
    const known = this.#members.get(name);
    if (known === undefined) return;
    this.#members.delete(name);
    for (const listener of this.#listeners) listener({ joined: false, member: known.member });
    known.member.close();
  }

  /** What a connection depends on. */
  #accessOf({ metadata, spec }: Cluster): unknown {
    const { id, apiEndpoint, secretRef, insecureSkipTLSVerification, proxyURL, proxyHeader } = spec;
    const secret = secretRef === undefined ? undefined : this.#needs.secrets.get(secretRef);
    const credentials = secret?.["data"];
    return {
      uid: metadata.uid,
      id, // another cluster: what was cached of the former says nothing
      apiEndpoint,
      secretRef,
      insecureSkipTLSVerification,
      proxyURL,
      proxyHeader,
      credentials,
    };
  }
}

interface Try {
  readonly access: unknown;
}
