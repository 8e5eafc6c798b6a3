import type { HealthCheck } from "#apiserver/http/health.ts";

/**
 * Whether a fleet can be relied upon.
 *
 *   starting ── every cache has been filled once ──> ready ── told to stop ──> stopping
 */
export class Readiness {
  #waitsFor: () => readonly string[] = () => ["the controllers"];
  #isSynced = false;
  #isStopping = false;

  /** The controllers run; what they still wait for is asked until there is nothing left. */
  controllersStarted(waitsFor: () => readonly string[]): void {
    this.#waitsFor = waitsFor;
  }

  stopping(): void {
    this.#isStopping = true;
  }

  /** For the control plane. */
  get checks(): readonly HealthCheck[] {
    return [{ name: "informer-sync", of: "ready", failure: () => this.#unsynced() }, ...this.memberChecks];
  }

  get memberChecks(): readonly HealthCheck[] {
    return [
      { name: "shutdown", of: "ready", failure: () => (this.#isStopping ? "the process is stopping" : undefined) },
    ];
  }

  /** Asked until it is so: a kind that is defined later on does not make the fleet unready. */
  #unsynced(): string | undefined {
    if (this.#isSynced) return undefined;
    const missing = this.#waitsFor();
    this.#isSynced = missing.length === 0;
    return this.#isSynced ? undefined : `not filled yet: ${missing.join(", ")}`;
  }
}
