import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Override } from "#api/policy/override-policy.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { type PreparedOverride, prepareOverride } from "#overrides/prepared-override.ts";
import { allSynced } from "#runtime/all-synced.ts";
import type { Change, Informer } from "#runtime/informer.ts";
import { PolicyIndex } from "#selection/policy-index.ts";
import { type CompiledPolicy, compilePolicy } from "#selection/policy-match.ts";
import type { Template } from "#selection/template.ts";

/** All override policies of both scopes, found by template. One that selects nothing in particular means everything in its reach. */
export class OverrideCatalog {
  #selective = PolicyIndex.empty();
  /** By `namespace/name`. */
  readonly #unselective = new Map<string, Override>();
  /** What was asked for, read once. */
  readonly #prepared = new WeakMap<Override, PreparedOverride>();
  readonly #listeners = new Set<(policy: Override) => void>();
  readonly #informers: readonly Informer<ApiObject>[];

  constructor(informers: readonly Informer<ApiObject>[]) {
    this.#informers = informers;
    for (const informer of informers) informer.subscribe((change) => this.#accept(change));
  }

  /** The same policies over forks of the caches, with what changes there. */
  fork(informers: readonly Informer<ApiObject>[]): OverrideCatalog {
    const fork = new OverrideCatalog(informers);
    fork.#selective = this.#selective;
    for (const [key, policy] of this.#unselective) fork.#unselective.set(key, policy);
    return fork;
  }

  get synced(): boolean {
    return allSynced(this.#informers) === undefined;
  }

  async whenSynced(): Promise<void> {
    await allSynced(this.#informers);
  }

  /** Every override policy that may mean the template, and few others. */
  candidatesFor(template: Template): readonly PreparedOverride[] {
    const found: PreparedOverride[] = [];
    for (const { policy } of this.#selective.candidatesFor(template))
      found.push(this.#prepare(policy as unknown as Override)); // see asPolicy
    for (const policy of this.#unselective.values()) {
      const { namespace } = policy.metadata;
      if (namespace === undefined || namespace === template.namespace) found.push(this.#prepare(policy));
    }
    return found;
  }

  /** Calls back with a policy as it was and as it is now, whenever one changes what it says. */
  subscribe(listener: (policy: Override) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #accept({ before, after, initial }: Change<ApiObject>): void {
    const [old, now] = [before, after] as unknown as [Override | undefined, Override | undefined]; // the informers' kinds
    if (old !== undefined) this.#remove(old);
    if (now !== undefined) this.#put(now);
    if (initial || old?.metadata.generation === now?.metadata.generation) return;
    for (const policy of [old, now]) {
      if (policy !== undefined) for (const listener of this.#listeners) listener(policy);
    }
  }

  #prepare(policy: Override): PreparedOverride {
    const known = this.#prepared.get(policy);
    if (known !== undefined) return known;
    const prepared = prepareOverride(policy);
    this.#prepared.set(policy, prepared);
    return prepared;
  }

  #put(policy: Override): void {
    if (isUnselective(policy)) this.#unselective.set(keyOf(policy), policy);
    else this.#selective = this.#selective.with(asPolicy(policy));
  }

  #remove(policy: Override): void {
    this.#unselective.delete(keyOf(policy));
    this.#selective = this.#selective.without(policy.metadata);
  }
}

/** Whether an override policy means everything in its reach. */
export function isUnselective({ spec }: Override): boolean {
  return (spec.resourceSelectors ?? []).length === 0;
}

/** An override policy with its selectors read, for indexes of templates. */
export function compileOverride(policy: Override): CompiledPolicy {
  return compilePolicy(asPolicy(policy));
}

/** The index looks at metadata and selectors only, which both kinds of policy have alike. */
function asPolicy(policy: Override): Policy {
  return policy as unknown as Policy;
}

function keyOf({ metadata }: Override): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}
