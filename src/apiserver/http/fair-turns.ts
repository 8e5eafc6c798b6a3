/** How many are begun in one turn of the loop before the others get theirs. */
const perTurn = 16;

/**
 * Lets those who ask take turns. As long as few ask, everyone begins at once; when many do, one of each client's requests begins before
 * anybody's second, and the loop comes round in between: a client with a thousand requests waits for itself.
 */
export class FairTurns<Client extends object> {
  /** In the order in which clients began to wait; a client that was served goes to the end. */
  readonly #waiting = new Map<Client, (() => void)[]>();
  #begun = 0;
  #isScheduled = false;

  /** Calls back now or in a later turn. */
  take(client: Client, begin: () => void): void {
    this.#schedule();
    if (this.#begun < perTurn && this.#waiting.size === 0) {
      this.#begun++;
      begin();
      return;
    }
    const own = this.#waiting.get(client);
    if (own === undefined) this.#waiting.set(client, [begin]);
    else own.push(begin);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#isScheduled = false;
    this.#begun = 0;
    for (const [client, own] of this.#waiting) {
      if (this.#begun >= perTurn) break;
      this.#begun++;
      this.#waiting.delete(client);
      const begin = own.shift();
      if (own.length > 0) this.#waiting.set(client, own);
      begin?.();
    }
    if (this.#waiting.size > 0) this.#schedule();
  }
}
