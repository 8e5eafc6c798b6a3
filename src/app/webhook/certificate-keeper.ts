import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Random } from "#base/random.ts";
import type { Client } from "#client/client.ts";
import type { KeyPair } from "../certificate-authority.ts";
import { bundleOf, type ReadCertificates, readCertificates, writeCertificates } from "./certificate-secret.ts";
import { type CertificateStep, decideCertificate } from "./decide-certificate.ts";
import type { PublishedBundle } from "./published-bundle.ts";
import { factsOf, type ServingCertificate, type ServingRequest, servingRequest } from "./serving-certificate.ts";

export interface CertificateKeeperNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly published: PublishedBundle;
  /** DNS names and addresses by which API servers reach the webhook. */
  readonly names: readonly string[];
  readonly make: (request: ServingRequest) => Promise<ServingCertificate>;
  /** Called with every certificate that is to be served, the first one too. */
  readonly serve: (pair: KeyPair) => void;
}

/**
 * Other replicas rotate, too: how old our knowledge of the secret may be. The rights cover one name, so it is read, not watched; what is
 * served meanwhile is believed for another month.
 */
const maxAgeMs = 3_600_000;
const retryMs = 5_000;
/** More steps than any situation needs: replicas that all try to be first. */
const maxSteps = 10;

/**
 * Keeps the webhook's certificate: makes it, tells the API servers whom to believe, replaces it in time. Any number of replicas do this
 * on one secret; each write expects what was read, so one of them wins and the others follow.
 */
export class CertificateKeeper {
  readonly #needs: CertificateKeeperNeeds;
  #served = "";
  #cancel: () => void = () => {};
  #running: Promise<void> | undefined;
  #again = false;
  #failure: string | undefined = "there is no certificate yet";

  constructor(needs: CertificateKeeperNeeds) {
    this.#needs = needs;
  }

  /** Why API servers cannot believe us now; undefined when they can. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Begins; resolves after the first attempt, whatever comes of it. */
  async start(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#cancel(), { once: true });
    await this.#needs.published.start(signal, () => this.#wake(signal));
    await this.#look(signal);
  }

  /** Something changed: look again, after what is under way. */
  #wake(signal: AbortSignal): void {
    if (this.#running === undefined) void this.#look(signal);
    else this.#again = true;
  }

  async #look(signal: AbortSignal): Promise<void> {
    this.#cancel();
    this.#running = this.#once();
    await this.#running;
    this.#running = undefined;
    if (signal.aborted) return;
    const again = this.#again;
    this.#again = false;
    if (again) return this.#look(signal);
    const delayMs =
      this.#failure === undefined ? Math.min(this.#untilMs - this.#needs.clock.nowMs(), maxAgeMs) : retryMs;
    this.#cancel = this.#needs.clock.after(Math.max(delayMs, retryMs), () => this.#wake(signal));
  }

  #untilMs = 0;

  async #once(): Promise<void> {
    try {
      this.#untilMs = await this.#settle();
      this.#failure = undefined;
    } catch (error: unknown) {
      this.#failure = error instanceof Error ? error.message : String(error);
      this.#needs.log.error("cannot keep the certificate of the webhook", { error });
    }
  }

  /** Takes steps until there is nothing to do; when there is something again. */
  async #settle(): Promise<number> {
    const { client, published } = this.#needs;
    for (let steps = 0; steps < maxSteps; steps++) {
      const kept = await readCertificates(client);
      const step = this.#decide(kept);
      try {
        if (step.do !== "wait") {
          await this.#take(step, kept);
          continue;
        }
        const { current } = kept;
        await published.put(bundleOf(kept));
        if (current !== undefined && current.certificate !== this.#served) {
          this.#needs.serve(current);
          this.#served = current.certificate;
        }
        return step.untilMs;
      } catch (error: unknown) {
        if (!(error instanceof StatusError) || !["Conflict", "AlreadyExists"].includes(error.reason)) throw error;
      }
    }
    throw new Error("others write the certificate all the while");
  }

  #decide(kept: ReadCertificates): CertificateStep {
    const { clock, names, published } = this.#needs;
    return decideCertificate({
      nowMs: clock.nowMs(),
      names,
      current: kept.current && factsOf(kept.current.certificate),
      next: kept.next && factsOf(kept.next.certificate),
      isPublished: published.has(bundleOf(kept)),
    });
  }

  async #take(step: CertificateStep, { secret, current, next, previousAuthority }: ReadCertificates): Promise<void> {
    const { client, log, names, random, make } = this.#needs;
    const fresh = () => make(servingRequest({ names, nowMs: this.#needs.clock.nowMs() }, random));
    switch (step.do) {
      case "make current":
        await writeCertificates(client, secret, { current: await fresh(), previousAuthority: current?.authority });
        break;
      case "make next":
        await writeCertificates(client, secret, { current, next: await fresh(), previousAuthority });
        break;
      case "promote next":
        await writeCertificates(client, secret, { current: next, previousAuthority: current?.authority });
        break;
      case "wait":
        return;
    }
    log.info("took care of the certificate of the webhook", { step: step.do });
  }
}
