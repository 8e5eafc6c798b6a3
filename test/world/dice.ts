import { seededRandom } from "./world.ts";

/** Seeded choices. */
export class Dice {
  readonly #random: { fraction(): number };

  constructor(seed: number) {
    this.#random = seededRandom(seed * 7_919 + 13);
  }

  below(count: number): number {
    return Math.floor(this.#random.fraction() * count);
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  some<T>(all: readonly T[]): readonly T[] {
    const chosen = all.filter(() => this.#random.fraction() < 0.5);
    return chosen.length === 0 ? [this.of(all)] : chosen;
  }

  happens(rate: number): boolean {
    return this.#random.fraction() < rate;
  }
}
