/** Something that may go wrong while others wait for it: nobody has to look, and whoever waits for it hears of it. */
export interface Failure {
  /** Never resolves. */
  readonly promise: Promise<never>;
  /** The first call counts. */
  readonly fail: (error: unknown) => void;
}

/** A failure that has not happened yet. */
export function possibleFailure(): Failure {
  let fail: (error: unknown) => void = () => {};
  const promise = new Promise<never>((_, reject) => {
    fail = reject;
  });
  promise.catch(() => {});
  return { promise, fail };
}
