/**
 * The store cannot be opened, or takes no more writes until it is opened again.
 *
 * - `locked`: another process has it open
 * - `denied`: the directory cannot be written
 * - `corrupt`: a file does not hold what was written to it; nothing of it is served
 * - `newer`: a later release wrote it
 * - `io`: the disk failed during a write; what was not acknowledged may or may not be there after reopening
 * - `closed`: it was closed
 */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  readonly why: StoreFailureReason;

  constructor(why: StoreFailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

export type StoreFailureReason = "locked" | "denied" | "corrupt" | "newer" | "io" | "closed";

/** A record that is not what was written, or does not follow from those before it. */
export class DamagedRecord extends Error {
  override readonly name = "DamagedRecord";
}
