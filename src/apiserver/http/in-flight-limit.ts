import type { UserInfo, Verb } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { defaultServerLimits, type ServerLimits } from "./server-limits.ts";

type InFlightLimits = Pick<ServerLimits, "requests" | "watches" | "watchesPerUser" | "watchesPerMaster">;

/** How much may be under way at once. Over it, clients are told to come back in a second; those already in are not disturbed. */
export class InFlightLimit {
  readonly #limits: InFlightLimits;
  readonly #watchesOf = new Map<string, number>();
  #watches = 0;
  #requests = 0;

  constructor(limits: InFlightLimits = defaultServerLimits) {
    this.#limits = limits;
  }

  /** Counts one in, or throws 429; the returned function counts it out. */
  enter(user: UserInfo, verb: Verb): () => void {
    return verb === "watch" ? this.#enterWatch(user) : this.#enterRequest();
  }

  #enterRequest(): () => void {
    if (this.#requests >= this.#limits.requests) throw tooMany("requests");
    this.#requests++;
    return () => {
      this.#requests--;
    };
  }

  #enterWatch({ name, groups }: UserInfo): () => void {
    const own = this.#watchesOf.get(name) ?? 0;
    const { watches, watchesPerMaster, watchesPerUser } = this.#limits;
    if (this.#watches >= watches) throw tooMany("watches");
    if (own >= (groups.includes("system:masters") ? watchesPerMaster : watchesPerUser))
      throw tooMany(`watches of user ${JSON.stringify(name)}`);
    this.#watches++;
    this.#watchesOf.set(name, own + 1);
    return () => {
      this.#watches--;
      const left = (this.#watchesOf.get(name) ?? 1) - 1;
      if (left === 0) this.#watchesOf.delete(name);
      else this.#watchesOf.set(name, left);
    };
  }
}

function tooMany(what: string): StatusError {
  return StatusError.tooManyRequests(`too many ${what} at once, please try again later`, 1);
}
