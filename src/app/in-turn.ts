/** Things that are opened one after another, later; whoever asks for one before gets it when it is there. */
export interface InTurn<T> {
  /** Opens them all; resolves with them in order, or rejects with what went wrong first. */
  readonly begin: () => Promise<readonly T[]>;
  readonly get: (name: string) => Promise<T> | undefined;
}

/** Prepares to open things by their names. */
export function inTurn<T>(names: readonly string[], open: (name: string, index: number) => Promise<T>): InTurn<T> {
  let begin: () => void = () => {};
  let last: Promise<unknown> = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const opened = names.map((name, index): readonly [string, Promise<T>] => {
    const own = last.then(() => open(name, index));
    own.catch(() => undefined); // told to whoever begins
    last = own;
    return [name, own];
  });
  const byName = new Map(opened);
  return {
    begin() {
      begin();
      return Promise.all(opened.map(([, own]) => own));
    },
    get: (name) => byName.get(name),
  };
}
