/** One request as it is sent to both servers. */
export interface RequestQuestion {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

/** What a client sees of an answer that says no, or that has a remark. */
export interface Refusal {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: unknown;
  /** The texts of its Warning headers. */
  readonly warnings?: readonly string[];
}
