/** Randomness, handed in: the system's in production, seeded in simulations. */
export interface Random {
  /** A version 4 UUID. */
  uuid(): string;
  /** A number in [0, 1). */
  fraction(): number;
}

const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Five characters that cannot spell a word, as Kubernetes appends to a generateName. */
export function nameSuffix(random: Random): string {
  return Array.from({ length: 5 }, () => suffixAlphabet[Math.floor(random.fraction() * suffixAlphabet.length)]).join(
    "",
  );
}
