/** How much strangers and users may take of one server. */
export interface ServerLimits {
  readonly connections: number;
  /** From one address; this machine's own is exempt, because everybody on it shares it. */
  readonly connectionsPerAddress: number;
  /** A connection must bring its first request within this time. */
  readonly headersMs: number;
  /** A request must bring its body within this time. */
  readonly bodyMs: number;
  /** An answer must be read within this time. */
  readonly unreadMs: number;
  /** What may wait to be read, of all answers together: above it the oldest ones are given up. */
  readonly unreadBytes: number;
  /** Requests under way, watches apart. */
  readonly requests: number;
  readonly watches: number;
  readonly watchesPerUser: number;
  /** Of a user in `system:masters`, under whose name whole control planes run. */
  readonly watchesPerMaster: number;
}

export const defaultServerLimits: ServerLimits = {
  connections: 4_096,
  connectionsPerAddress: 256,
  headersMs: 10_000,
  bodyMs: 60_000,
  unreadMs: 60_000,
  unreadBytes: 256 * 1024 * 1024,
  requests: 1_000,
  watches: 10_000,
  watchesPerUser: 200,
  watchesPerMaster: 2_000,
};
