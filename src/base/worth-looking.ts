/** How often something has to be found, of so many times that it was looked for. */
const worth = { found: 1 / 8, of: 2_048 };
/** Of what is hardly ever found every so manieth is looked for. */
const samples = 8;

/** Whether it is worth to look for things of a sort among those met before: not where that hardly ever finds one. Some are always tried: that may change. */
export class WorthLooking {
  #isRare = false;
  #looked = 0;
  #found = 0;

  /** Of things that are the same, with the same mark, either all are tried or none. */
  isFor(mark: number): boolean {
    return !this.#isRare || mark % samples === 0;
  }

  count(isFound: boolean): void {
    if (isFound) this.#found++;
    if (++this.#looked < worth.of) return;
    this.#isRare = this.#found < worth.found * worth.of;
    this.#looked = 0;
    this.#found = 0;
  }
}
