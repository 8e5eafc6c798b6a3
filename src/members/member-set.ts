import type { Cluster } from "#api/cluster/cluster.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Clock } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Logger } from "#base/logger.ts";
import type { Informer } from "#runtime/informer.ts";
import { Member } from "./member.ts";
import type { MemberConnector } from "./member-connection.ts";

export interface MemberSetNeeds {
  readonly clusters: Informer<ApiObject>;
  readonly connector: MemberConnector;
  readonly clock: Clock;
  readonly log: Logger;
}

type MemberListener = (event: { readonly joined: boolean; readonly member: Member }) => void;

const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

/** The members that can be talked to now: follows the Cluster objects, reconnects when their address or credentials change. */
export class MemberSet {
  readonly #needs: MemberSetNeeds;
  readonly #members = new Map<string, { readonly member: Member; readonly access: unknown }>();
  readonly #listeners = new Set<MemberListener>();
  readonly #failures = new Map<string, { readonly error: Error; readonly retryMs: number }>();
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

  /** Calls back for members that come and go; those that are here already are reported at once. */
  subscribe(listener: MemberListener): () => void {
    for (const { member } of this.#members.values()) listener({ joined: true, member });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(signal: AbortSignal): void {
    const stop = this.#needs.clusters.subscribe(
      ({ after, before }) => void this.#follow((after ?? before)!.metadata.name),
    );
    signal.addEventListener(
      "abort",
      () => {
        this.#stopped = true;
        stop();
        for (const name of [...this.#members.keys()]) this.#disconnect(name);
      },
      { once: true },
    );
  }

  async #follow(name: string): Promise<void> {
    const cluster = this.#needs.clusters.get({ name }) as Cluster | undefined; // the informer's kind
    if (cluster === undefined) {
      this.#failures.delete(name);
      return this.#disconnect(name);
    }
    const access = accessOf(cluster);
    const known = this.#members.get(name);
    if (known !== undefined && jsonEquals(known.access, access)) return;
    this.#disconnect(name);
    await this.#connect(cluster, access);
  }

  async #connect(cluster: Cluster, access: unknown): Promise<void> {
    const { connector, clock, log } = this.#needs;
    const { name } = cluster.metadata;
    try {
      const connection = await connector.connect(cluster);
      if (this.#stopped || this.#members.has(name)) return connection.close();
      const member = new Member({ name, connection, clock, log: log.child({ member: name }) });
      this.#failures.delete(name);
      this.#members.set(name, { member, access });
      for (const listener of this.#listeners) listener({ joined: true, member });
    } catch (error: unknown) {
      const retryMs = Math.min((this.#failures.get(name)?.retryMs ?? firstRetryMs / 2) * 2, maxRetryMs);
      this.#failures.set(name, { error: error instanceof Error ? error : new Error(String(error)), retryMs });
      log.error("cannot connect to member", { member: name, error });
      clock.after(retryMs, () => {
        if (!this.#stopped) void this.#follow(name);
      });
    }
  }

  #disconnect(name: string): void {
    const known = this.#members.get(name);
    if (known === undefined) return;
    this.#members.delete(name);
    for (const listener of this.#listeners) listener({ joined: false, member: known.member });
    known.member.close();
  }
}

/** What a connection depends on. */
function accessOf({ metadata, spec }: Cluster): unknown {
  const { apiEndpoint, secretRef, insecureSkipTLSVerification, proxyURL, proxyHeader } = spec;
  return { uid: metadata.uid, apiEndpoint, secretRef, insecureSkipTLSVerification, proxyURL, proxyHeader };
}
