/** What a decision returns: the steps to take now, and, when the rest must wait, on what. */
export interface Plan<Step> {
  readonly steps: readonly Step[];
  readonly waitFor?: { readonly reason: string; readonly retryAfterMs?: number };
}
