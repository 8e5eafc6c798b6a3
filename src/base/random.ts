/** Randomness, handed in: the system's in production, seeded in simulations. */
export interface Random {
  /** A version 4 UUID. */
  uuid(): string;
  /** A number in [0, 1). */
  fraction(): number;
}

/** The characters of generated names: without vowels they cannot spell a word. */
export const safeAlphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Five characters that cannot spell a word, as Kubernetes appends to a generateName. */
export function nameSuffix(random: Random): string {
  return Array.from({ length: 5 }, () => safeAlphabet[Math.floor(random.fraction() * safeAlphabet.length)]).join("");
}
