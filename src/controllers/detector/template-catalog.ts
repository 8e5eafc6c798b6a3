import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { allSynced } from "#runtime/all-synced.ts";
import { type Change, type Informer, LiveInformer } from "#runtime/informer.ts";
import { type CompiledPolicy, matchSelectors } from "#selection/policy-match.ts";
import { templateKey, templateOf } from "#selection/template.ts";
import { isPropagatable, isSkippedNamespace } from "./propagatable.ts";
import { type TemplateChange, TemplateIndexes } from "./template-indexes.ts";

export interface TemplateCatalogNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** What the control plane serves now, and a call when that changes. */
  readonly served: {
    readonly resources: () => readonly ResourceId[];
    readonly subscribe: (listener: () => void) => () => void;
  };
}

/**
 * Every object that a policy may mean, whatever its kind: one cache per served resource, one index over all, so that a policy finds its
 * templates without looking at others.
 */
export class TemplateCatalog {
  readonly #needs: TemplateCatalogNeeds;
  /** By `apiVersion kind`. */
  readonly #informers = new Map<string, { readonly informer: Informer<ApiObject>; readonly stop: AbortController }>();
  readonly #listeners = new Set<(change: TemplateChange) => void>();
  readonly #indexes = new TemplateIndexes();
  /** Whether what is here was here before a fork, and is no news. */
  #isFork = false;

  constructor(needs: TemplateCatalogNeeds) {
    this.#needs = needs;
  }

  /** The same templates over forks of the caches, with what changes there; nothing is copied. */
  fork(forkOf: (informer: Informer<ApiObject>) => Informer<ApiObject>): TemplateCatalog {
    const fork = new TemplateCatalog(this.#needs);
    fork.#indexes.startFrom(this.#indexes);
    fork.#isFork = true;
    for (const [type, { informer, stop }] of this.#informers) {
      const forked = forkOf(informer);
      fork.#informers.set(type, { informer: forked, stop });
      forked.onChange((change) => fork.#accept(change));
    }
    return fork;
  }

  start(signal: AbortSignal): void {
    const { served } = this.#needs;
    const refresh = () => this.#follow(served.resources(), signal);
    const stop = served.subscribe(refresh);
    refresh();
    signal.addEventListener(
      "abort",
      () => {
        stop();
        for (const { stop: each } of this.#informers.values()) each.abort();
      },
      { once: true },
    );
  }

  /** One for every resource that is served now. */
  caches(): readonly Informer<ApiObject>[] {
    return [...this.#informers.values()].map(({ informer }) => informer);
  }

  /** Resolves when every resource that is served now has been seen whole. */
  async whenSynced(): Promise<void> {
    await allSynced(this.caches());
  }

  get synced(): boolean {
    for (const { informer } of this.#informers.values()) if (!informer.synced) return false;
    return true;
  }

  get size(): number {
    return this.#indexes.templates.size;
  }

  /** The template behind a key, and where it is served. */
  get(key: string): { readonly template: ApiObject; readonly resource: ResourceId } | undefined {
    const end = key.lastIndexOf(" ");
    const path = key.slice(end + 1);
    return this.find(key.slice(0, end), path.startsWith("/") ? path.slice(1) : path);
  }

  /** The template of an `apiVersion kind` by `namespace/name`, or its name alone where it has no namespace. */
  find(type: string, path: string): { readonly template: ApiObject; readonly resource: ResourceId } | undefined {
    const informer = this.#informers.get(type)?.informer;
    const template = informer?.at(path);
    return informer === undefined || template === undefined ? undefined : { template, resource: informer.resource };
  }

  /** Keys of the templates of an `apiVersion kind`. */
  ofType(type: string): readonly string[] {
    const objects = [...(this.#informers.get(type)?.informer.all() ?? [])];
    return objects.filter(isTemplate).map((object) => templateKey(templateOf(object)));
  }

  /** Keys of the templates that a policy may mean, and few others. */
  candidatesFor(policy: CompiledPolicy): readonly string[] {
    return this.#indexes.templates.candidatesFor(policy).map(templateKey);
  }

  /** Keys of the templates that a policy means. */
  meantBy(policy: CompiledPolicy): readonly string[] {
    const candidates = this.#indexes.templates.candidatesFor(policy);
    return candidates.filter((each) => matchSelectors(policy, each).precision !== "None").map(templateKey);
  }

  /** Keys of the templates that carry a policy's id. */
  claimedBy(policyId: string): readonly string[] {
    return [...this.#indexes.claimed.in(policyId)];
  }

  /** How many templates carry a policy's id. */
  countClaimedBy(policyId: string): number {
    return this.#indexes.claimed.sizeOf(policyId);
  }

  subscribe(listener: (change: TemplateChange) => void): () => void {
    for (const { informer } of this.#isFork ? [] : this.#informers.values()) {
      for (const object of informer.all()) {
        if (isTemplate(object))
          listener({
            key: templateKey(templateOf(object)),
            change: { before: undefined, after: object, initial: true },
          });
      }
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #follow(resources: readonly ResourceId[], signal: AbortSignal): void {
    const wanted = new Map(resources.filter(isPropagatable).map((resource) => [typeOf(resource), resource]));
    for (const [type, { stop }] of this.#informers) {
      if (wanted.has(type)) continue;
      stop.abort(); // the definition is gone, and so are its objects
      this.#informers.delete(type);
    }
    for (const [type, resource] of wanted) {
      if (!this.#informers.has(type) && !signal.aborted) this.#begin(type, resource);
    }
  }

  #begin(type: string, resource: ResourceId): void {
    const { client, clock, log } = this.#needs;
    const stop = new AbortController();
    const informer = new LiveInformer<ApiObject>({ client, resource, clock, log });
    this.#informers.set(type, { informer, stop });
    informer.subscribe((change) => this.#accept(change));
    informer.start(stop.signal);
  }

  #accept(change: Change<ApiObject>): void {
    const object = (change.after ?? change.before)!;
    if (!isTemplate(object)) return;
    const key = templateKey(templateOf(object));
    this.#indexes.accept({ key, change });
    for (const listener of this.#listeners) listener({ key, change });
  }
}

function typeOf({ group, version, kind }: ResourceId): string {
  return `${group === "" ? version : `${group}/${version}`} ${kind}`;
}

function isTemplate(object: ApiObject): boolean {
  const namespace = object.kind === "Namespace" ? object.metadata.name : object.metadata.namespace;
  return !isSkippedNamespace(namespace);
}
