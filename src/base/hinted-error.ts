/** A failure that the person in front of the terminal can do something about. */
export class HintedError extends Error {
  /** What to do, in one sentence. */
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
