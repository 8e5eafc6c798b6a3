/** Nothing may be written any more: somebody else may be writing by now. */
export class FencedError extends Error {}

/** Lets writes pass as long as we may write. */
export interface WriteFence {
  /** Throws a FencedError once it is closed. */
  expectOpen(): void;
}
