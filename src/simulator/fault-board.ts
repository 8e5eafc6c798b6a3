import type { FaultRule } from "./faults.ts";

/** The faults in force, which a test or an operator changes while the simulation runs. */
export class FaultBoard {
  readonly #rules = new Map<string, FaultRule>();
  readonly #failedNodes = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(standing: readonly FaultRule[]) {
    for (const [index, rule] of standing.entries()) this.#rules.set(`standing-${index}`, rule);
  }

  rules(): Iterable<FaultRule> {
    return this.#rules.values();
  }

  /** Sets a fault under a name by which it is cleared again. */
  set(name: string, rule: FaultRule): void {
    this.#rules.set(name, rule);
    this.#changed();
  }

  clear(name: string): void {
    if (this.#rules.delete(name)) this.#changed();
  }

  /** The node stops working: NotReady, and its pods with it. */
  failNode(node: string): void {
    this.#failedNodes.add(node);
    this.#changed();
  }

  restoreNode(node: string): void {
    if (this.#failedNodes.delete(node)) this.#changed();
  }

  isNodeFailed(node: string): boolean {
    return this.#failedNodes.has(node);
  }

  /** Calls back after every change; the returned function ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
