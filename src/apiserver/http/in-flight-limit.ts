import type { UserInfo, Verb } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";

export interface InFlightLimits {
  readonly watchesPerUser: number;
  readonly watches: number;
  readonly requests: number;
}

export const defaultInFlightLimits: InFlightLimits = { watchesPerUser: 2_000, watches: 10_000, requests: 1_000 };

/** How much may be under way at once. Over it, clients are told to come back in a second; those already in are not disturbed. */
export class InFlightLimit {
  readonly #limits: InFlightLimits;
  readonly #watchesOf = new Map<string, number>();
  #watches = 0;
  #requests = 0;

  constructor(limits: InFlightLimits = defaultInFlightLimits) {
    this.#limits = limits;
  }

  /** Counts one in, or throws 429; the returned function counts it out. */
  enter(user: UserInfo, verb: Verb): () => void {
    return verb === "watch" ? this.#enterWatch(user.name) : this.#enterRequest();
  }

  #enterRequest(): () => void {
    if (this.#requests >= this.#limits.requests) throw tooMany("requests");
    this.#requests++;
    return () => {
      this.#requests--;
    };
  }

  #enterWatch(user: string): () => void {
    const own = this.#watchesOf.get(user) ?? 0;
    if (this.#watches >= this.#limits.watches) throw tooMany("watches");
    if (own >= this.#limits.watchesPerUser) throw tooMany(`watches of user ${JSON.stringify(user)}`);
    this.#watches++;
    this.#watchesOf.set(user, own + 1);
    return () => {
      this.#watches--;
      const left = (this.#watchesOf.get(user) ?? 1) - 1;
      if (left === 0) this.#watchesOf.delete(user);
      else this.#watchesOf.set(user, left);
    };
  }
}

function tooMany(what: string): StatusError {
  return StatusError.tooManyRequests(`too many ${what} at once, please try again later`, 1);
}
