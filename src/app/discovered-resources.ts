import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { DiscoveryReader } from "#client/discovery.ts";
import type { HttpTransport } from "#client/http-transport.ts";
import { ResourceStream } from "#runtime/resource-stream.ts";

export interface DiscoveredResourcesNeeds {
  readonly transport: HttpTransport;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What changes what a server serves. */
const sources: readonly ResourceId[] = [
  {
    group: "apiextensions.k8s.io",
    version: "v1",
    resource: "customresourcedefinitions",
    kind: "CustomResourceDefinition",
    namespaced: false,
  },
  { group: "apiregistration.k8s.io", version: "v1", resource: "apiservices", kind: "APIService", namespaced: false },
];

/** Discovery follows a definition after a while: when to look again after something changed. */
const looksMs = [50, 500, 2_000, 10_000];
const firstRetryMs = 500;
const maxRetryMs = 5_000;

/**
 * What an API server serves, by its discovery: read once, and again when a definition or a registered API changes. Each resource once, in the
 * version that the server prefers. Nothing is asked while nothing changes.
 */
export class DiscoveredResources {
  readonly #needs: DiscoveredResourcesNeeds;
  readonly #reader: DiscoveryReader;
  readonly #listeners = new Set<() => void>();
  #resources: readonly ResourceId[] = [];
  #cancelLook: () => void = () => {};

  constructor(needs: DiscoveredResourcesNeeds) {
    this.#needs = needs;
    this.#reader = new DiscoveryReader(needs.transport);
  }

  /** Resolves when the server has said once what it serves, however long that takes, or when the signal ends it. */
  async start(signal: AbortSignal): Promise<void> {
    for (let retryMs = firstRetryMs; !(await this.#read(signal)); retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      if (signal.aborted) return;
      await new Promise<void>((resolve) => this.#needs.clock.after(retryMs, resolve));
    }
    const { client, clock, log } = this.#needs;
    const look = () => this.#lookSoon(signal);
    const isServed = ({ group, resource }: ResourceId) =>
      this.#resources.some((each) => each.group === group && each.resource === resource);
    for (const resource of sources.filter(isServed)) {
      const listener = { listing() {}, present: look, gone: look, listed: look };
      new ResourceStream({ client, clock, log, resource, listener }).start(signal);
    }
    signal.addEventListener("abort", () => this.#cancelLook(), { once: true });
  }

  resources(): readonly ResourceId[] {
    return this.#resources;
  }

  /** Calls back after every change; returns the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Many changes in a row are one; the last look comes long after the last change. */
  #lookSoon(signal: AbortSignal, [delayMs, ...later]: readonly number[] = looksMs): void {
    this.#cancelLook();
    if (delayMs === undefined || signal.aborted) return;
    this.#cancelLook = this.#needs.clock.after(delayMs, () => {
      this.#lookSoon(signal, later);
      void this.#read(signal);
    });
  }

  async #read(signal: AbortSignal): Promise<boolean> {
    try {
      const resources = preferredOf(await this.#reader.resources(signal));
      if (signal.aborted || jsonEquals(resources, this.#resources)) return true;
      this.#resources = resources;
      for (const listener of this.#listeners) listener();
      return true;
    } catch (error: unknown) {
      if (!signal.aborted) this.#needs.log.error("cannot find out what the API server serves", { error });
      return false;
    }
  }
}

/** Each resource once, in the version that the server prefers. */
export function preferredOf<T extends ResourceId>(all: readonly T[]): readonly T[] {
  const preferred = new Map<string, T>();
  for (const each of all) {
    const name = `${each.group}/${each.resource}`;
    if (!preferred.has(name)) preferred.set(name, each);
  }
  return [...preferred.values()];
}
