import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { allSynced } from "#runtime/all-synced.ts";
import type { Change, Informer } from "#runtime/informer.ts";
import { PolicyIndex } from "#selection/policy-index.ts";
import { type CompiledPolicy, compilePolicy } from "#selection/policy-match.ts";
import type { Template } from "#selection/template.ts";
import { type Claim, policyIdOf } from "./claim.ts";

export type PolicyChange = {
  readonly before: CompiledPolicy | undefined;
  readonly after: CompiledPolicy | undefined;
  readonly initial: boolean;
};

/** All propagation policies of both scopes, their selectors read once, found by template. */
export class PolicyCatalog {
  readonly #informers: readonly Informer<ApiObject>[];
  readonly #listeners = new Set<(change: PolicyChange) => void>();
  #index = PolicyIndex.empty();

  constructor(informers: readonly Informer<ApiObject>[]) {
    this.#informers = informers;
    for (const informer of informers) informer.subscribe((change) => this.#accept(change));
  }

  /** The same policies over forks of the caches, with what changes there. */
  fork(informers: readonly Informer<ApiObject>[]): PolicyCatalog {
    const fork = new PolicyCatalog(informers);
    fork.#index = this.#index;
    return fork;
  }

  get synced(): boolean {
    return allSynced(this.#informers) === undefined;
  }

  async whenSynced(): Promise<void> {
    await allSynced(this.#informers);
  }

  /** Every policy that may mean the template. */
  candidatesFor(template: Template): readonly CompiledPolicy[] {
    return this.#index.candidatesFor(template);
  }

  /** The policy that a claim names, if it is still the same one: a new policy of the same name never inherits a claim. */
  holderOf(claim: Claim): CompiledPolicy | undefined {
    const found = this.#index.get(
      claim.namespace === undefined ? { name: claim.name } : { namespace: claim.namespace, name: claim.name },
    );
    return found !== undefined && policyIdOf(found.policy) === claim.policyId ? found : undefined;
  }

  subscribe(listener: (change: PolicyChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #accept({ before, after, initial }: Change<ApiObject>): void {
    // the informers' kinds
    const old = before === undefined ? undefined : compilePolicy(before as unknown as Policy);
    const now = after === undefined ? undefined : compilePolicy(after as unknown as Policy);
    this.#index =
      after === undefined ? this.#index.without(before!.metadata) : this.#index.with(after as unknown as Policy);
    for (const listener of this.#listeners) listener({ before: old, after: now, initial });
  }
}
