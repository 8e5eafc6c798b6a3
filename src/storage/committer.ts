import type { Change } from "./history.ts";

/** Makes writes durable. The only thing in which the variants of the store differ. */
export interface Committer<Value> {
  /** The value as it is kept on disk; called once per write, when it is appended. */
  encode(value: Value): string;
  /**
   * Makes changes durable, all or (when space is short) only deletions. Calls may overlap; they resolve in the order they
   * were made. Rejects with a StoreFailure when the disk failed, after which nothing more is accepted.
   */
  commit(writes: readonly DurableWrite<Value>[]): Promise<CommitOutcome>;
  /** Makes it durable that history up to a revision is forgotten, and frees its space. */
  compact(revision: number): Promise<void>;
  close(): Promise<void>;
}

export interface DurableWrite<Value> {
  readonly change: Change<Value>;
  readonly text: string;
}

export type CommitOutcome =
  | { readonly kept: "all" }
  | { readonly kept: "deletions" | "nothing"; readonly detail: string };
