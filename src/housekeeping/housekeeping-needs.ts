import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import type { ResourceCatalog } from "./served-resources.ts";

/** What the housekeeping of one cluster works with. */
export interface HousekeepingNeeds {
  /** In process, with all rights. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends it; see RunningHousekeeping.stopped. */
  readonly signal: AbortSignal;
  readonly catalog: ResourceCatalog;
  /** PEM; what clients verify the server with. */
  readonly caCertificate: string;
  readonly issueToken: IssueToken;
  readonly delays?: Partial<HousekeepingDelays>;
}

/** Signs a token that lives as long as its secret and its service account. */
export type IssueToken = (request: TokenSubject) => string;

export interface TokenSubject {
  readonly namespace: string;
  readonly serviceAccount: { readonly name: string; readonly uid: string };
  readonly secret: { readonly name: string; readonly uid: string };
}

export interface HousekeepingDelays {
  /** From the request to delete a namespace to the first deletion in it: writes under way come to an end before. */
  readonly namespaceMs: number;
  /** How long an event is kept after it was last written. */
  readonly eventMs: number;
}

export const defaultDelays: HousekeepingDelays = { namespaceMs: 5_000, eventMs: 3_600_000 };
